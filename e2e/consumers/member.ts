import { type ChildProcess, spawn } from 'node:child_process';
import type { Program } from './languages';

/** A member of a consumer's group, which can be killed. */
export class Member {
  #process: ChildProcess | undefined;
  errors = '';
  constructor(
    readonly program: Program,
    readonly env: Readonly<Record<string, string>>,
  ) {}
  start(): void {
    const { command, args } = this.program;
    this.#process = spawn(command, args, {
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...this.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process.stderr!.setEncoding('utf8').on('data', (it: string) => (this.errors += it));
  }
  /** At whatever it is doing. */
  kill(): Promise<void> {
    const dying = this.#process;
    this.#process = undefined;
    if (dying === undefined || dying.exitCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      dying.once('exit', () => resolve());
      dying.kill('SIGKILL');
    });
  }
  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null;
  }
}
