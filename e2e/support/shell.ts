import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { STEWARD } from './steward';

export interface ShellOutput {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What runs beside. */
export interface Beside {
  /** Interrupts it as Ctrl-C would. */
  stop(): Promise<ShellOutput>;
}

/**
 * A person with a shell, in a folder of its own, with the servers in the settings and nothing else.
 */
export interface Shell {
  /**
   * Runs `steward …`, or several with `;` between them. What is found, or not known, is no failure;
   * an error (exit code 1) throws.
   * @returns what the last one said.
   */
  run(command: string): Promise<ShellOutput>;
  /** Runs `steward …` beside what else is done. */
  runBeside(command: string): Beside;
  /** Kills what still runs, and removes the folder. */
  close(): void;
}

/** @param settings of ovn-steward; the state is kept in the shell's folder. */
export function openShell(settings: Readonly<Record<string, unknown>>): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'steward-shell-'));
  const file = join(folder, 'steward.yaml');
  writeFileSync(file, JSON.stringify({ ...settings, stateDir: join(folder, 'state') }));
  const running = new Set<Child>();
  const start = (command: string) => {
    const listened = listening(started(command.split(' ').slice(1), folder, file));
    running.add(listened.child);
    void listened.ended.then(() => running.delete(listened.child));
    return listened;
  };
  return {
    async run(command) {
      let last: ShellOutput = { code: 0, stdout: '', stderr: '' };
      for (const one of command.split('; ')) {
        last = await start(one).ended;
        if (![0, 2, 3].includes(last.code ?? 1))
          throw new Error(`${one} ended with ${last.code}: ${last.stdout}${last.stderr}`);
      }
      return last;
    },
    runBeside(command) {
      const { child, ended } = start(command);
      return {
        async stop() {
          child.kill('SIGINT');
          return ended;
        },
      };
    },
    close() {
      for (const child of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const started = (words: readonly string[], cwd: string, settings: string): Child =>
  spawn(process.execPath, [STEWARD, ...words], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      NO_COLOR: '1',
      STEWARD_CONFIG: settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

function listening(child: Child): { readonly child: Child; readonly ended: Promise<ShellOutput> } {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr,
  }));
  return { child, ended };
}
