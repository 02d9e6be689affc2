/**
 * Runs a command's `main` with the words it was given and exits with its status. An error is
 * printed with its stack, a wrong option (`parseArgs`) without, and the status is 1.
 */
export function exitWith(main: (words: readonly string[]) => Promise<number>): void {
  void main(process.argv.slice(2)).then(
    (status) => {
      process.exitCode = status;
    },
    (error: unknown) => {
      process.stderr.write(`${printed(error)}\n`);
      process.exitCode = 1;
    },
  );
}

function printed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code?.startsWith('ERR_PARSE_ARGS') ? error.message : (error.stack ?? error.message);
}
