import { Command } from 'commander';
import { actionsCommand } from './commands/actions';
import { auditCommand } from './commands/audit';
import { configCommand } from './commands/config';
import { deadLettersCommand } from './commands/dead-letters';
import { explainCommand } from './commands/explain';
import { findingsCommand } from './commands/findings';
import { recordCommand } from './commands/record';
import { runCommand } from './commands/run';
import { VERSION } from './version';

const COMMANDS = [auditCommand, runCommand, findingsCommand, explainCommand, actionsCommand, recordCommand, deadLettersCommand, configCommand];

/** Every command and option; `done` hears the exit code of the one that ran. Nothing is printed for errors: `parseAsync` throws them. */
export function stewardProgram(done: (code: number) => void): Command {
  const program = new Command('steward')
    .description('Finds what rots in a Kube-OVN network: leaked ports and addresses, wrong counters, stuck deletions.\nIt changes nothing in OVN or Kubernetes.')
    .version(VERSION)
    .addHelpText('after', '\nExit codes: 0 nothing found, 2 findings, 1 error, 3 could not know.')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  for (const command of COMMANDS) command(program, done);
  program.commands.forEach((it) => it.exitOverride().configureOutput({ outputError: () => undefined }));
  return program;
}
