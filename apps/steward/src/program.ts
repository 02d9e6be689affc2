import { Command } from 'commander';
import { actionsCommand } from './commands/actions';
import { adoptCommand } from './commands/adopt';
import { applyCommand } from './commands/apply';
import { approveCommand } from './commands/approve';
import { auditCommand } from './commands/audit';
import { backupCommand } from './commands/backup';
import { configCommand } from './commands/config';
import { deadLettersCommand } from './commands/dead-letters';
import { doctorCommand } from './commands/doctor';
import { explainCommand } from './commands/explain';
import { findingsCommand } from './commands/findings';
import { giveUpCommand } from './commands/give-up';
import { guardCommand } from './commands/guard';
import { healCommand } from './commands/heal';
import { holdCommand } from './commands/hold';
import { holdsCommand } from './commands/holds';
import { keysCommand } from './commands/keys';
import { planCommand } from './commands/plan';
import { recordCommand } from './commands/record';
import { restoreCommand } from './commands/restore';
import { resumeCommand } from './commands/resume';
import { runCommand } from './commands/run';
import { subnetsCommand } from './commands/subnets';
import { undoCommand } from './commands/undo';
import { waitCommand } from './commands/wait';
import { VERSION } from './process/version';

const COMMANDS = [
  auditCommand,
  subnetsCommand,
  runCommand,
  findingsCommand,
  explainCommand,
  actionsCommand,
  recordCommand,
  deadLettersCommand,
  healCommand,
  backupCommand,
  restoreCommand,
  planCommand,
  applyCommand,
  approveCommand,
  holdCommand,
  resumeCommand,
  holdsCommand,
  undoCommand,
  giveUpCommand,
  adoptCommand,
  guardCommand,
  doctorCommand,
  waitCommand,
  keysCommand,
  configCommand,
];

/** Every command and option; `done` hears the exit code of the one that ran. Nothing is printed for errors: `parseAsync` throws them. */
export function stewardProgram(done: (code: number) => void): Command {
  const program = new Command('steward')
    .description(
      'Finds what rots in a Kube-OVN network: leaked ports and addresses, wrong counters, stuck deletions.\nIt changes nothing in OVN or Kubernetes until it is told to.',
    )
    .version(VERSION)
    .addHelpText('after', '\nExit codes: 0 nothing found, 2 findings, 1 error, 3 could not know.')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  for (const command of COMMANDS) command(program, done);
  program.commands.forEach(endsByThrowing);
  return program;
}

/** So that whatever is wrong with a command line is told in one place, also below a command of commands. */
function endsByThrowing(command: Command): void {
  command
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .commands.forEach(endsByThrowing);
}
