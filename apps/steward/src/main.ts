import { CommanderError } from 'commander';
import { EXIT } from './process/exit-codes';
import { failureText } from './output/failure-text';
import { programFor } from './program';

/**
 * Runs one command line. Whatever goes wrong ends in one sentence on stderr and an exit code, never
 * in a stack trace.
 */
export async function main(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.nothingFound;
  try {
    const program = await programFor(argv.slice(2), (result) => {
      code = result;
    });
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.nothingFound;
    // Called without a command: the help was printed, and says it better.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.error;
    process.stderr.write(`steward: ${failureText(error)}\n`);
    return EXIT.error;
  }
}
