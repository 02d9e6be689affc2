import { Command, CommanderError } from 'commander';
import { auditCommand } from './commands/audit';
import { configCommand } from './commands/config';
import { explainCommand } from './commands/explain';
import { findingsCommand } from './commands/findings';
import { recordCommand } from './commands/record';
import { runCommand } from './commands/run';
import { EXIT } from './exit-codes';
import { VERSION } from './version';
import { failureText } from './output/failure-text';

/** Runs one command line. Whatever goes wrong ends in one sentence on stderr and an exit code, never in a stack trace. */
export async function main(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.nothingFound;
  const program = new Command('steward')
    .description('Finds what rots in a Kube-OVN network: leaked ports and addresses, wrong counters, stuck deletions.\nIt reads; it changes nothing.')
    .version(VERSION)
    .addHelpText('after', '\nExit codes: 0 nothing found, 2 findings, 1 error, 3 could not know.')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  for (const command of [auditCommand, runCommand, findingsCommand, explainCommand, recordCommand, configCommand]) {
    command(program, (result) => { code = result; });
  }
  program.commands.forEach((it) => it.exitOverride().configureOutput({ outputError: () => undefined }));
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.nothingFound;
    process.stderr.write(`steward: ${failureText(error)}\n`);
    return EXIT.error;
  }
}
