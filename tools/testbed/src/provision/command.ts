import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which the command is killed; two minutes by default. */
  readonly timeout?: number;
  readonly input?: string;
}

/**
 * Runs a program to its end and gives its standard output. Throws with the program's own last words
 * when it fails.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      timeout: options.timeout ?? 120_000,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 256 * 1024 * 1024,
    };
    const child = execFile(command, [...args], settings, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const words = stderr.trim() || stdout.trim() || error.message;
      const how = error.killed === true ? ` (killed after ${settings.timeout} ms)` : '';
      reject(
        new Error(`${command} ${args.join(' ')} failed${how}: ${words.slice(-2000)}`, {
          cause: error,
        }),
      );
    });
    child.stdin?.on('error', () => undefined); // a program that ends before reading its input is judged by its exit status
    child.stdin?.end(options.input ?? '');
  });
}

/**
 * Where a program of this name stands on the PATH, if it does. Administration folders are looked
 * into as well.
 */
export function findOnPath(name: string): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
  ];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
