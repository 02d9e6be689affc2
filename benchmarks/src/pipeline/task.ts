import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a process of the benchmark gets at its start. */
export interface Assignment {
  readonly role: 'collector' | 'analyzer' | 'embedded' | 'produce' | 'consume';
  readonly brokers: readonly string[];
  readonly world: { readonly northbound: string; readonly kubernetes: string };
  readonly churn: number;
  /** A folder of its own. */
  readonly folder: string;
  /** How many records the other side will have been sent, where that must be known. */
  readonly records: number;
}

/** `ready`: everything is loaded. `done`: the work is, with what it counted. */
export type Report = { readonly state: 'ready' } | ({ readonly state: 'done' } & Work);

/** What a process counted, and the processor time of all its threads meanwhile. */
export interface Work {
  readonly records: number;
  readonly cpuSeconds: number;
}

/** A role played in a process of its own, as it would be in life. */
export interface Task {
  readonly pid: number;
  /** Lets it begin. */
  go(): void;
  /** Reports how many records there are in all, to who cannot know it beforehand. */
  report(records: number): void;
  /** Settles with what it counted once its work is done. */
  readonly done: Promise<Work>;
  end(): Promise<void>;
}

/** Starts the process and waits until it has loaded all it needs. */
export async function startTask(assignment: Assignment): Promise<Task> {
  const child: ChildProcess = fork(join(__dirname, 'process.js'), [JSON.stringify(assignment)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const reported = <S extends Report['state']>(state: S): Promise<Extract<Report, { state: S }>> =>
    new Promise((resolve, reject) => {
      child.on('message', (report: Report) => {
        if (report.state === state) resolve(report as Extract<Report, { state: S }>);
      });
      child.once('exit', (code) =>
        reject(new Error(`the ${assignment.role} ended with ${code} before it was ${state}`)),
      );
    });
  const done = reported('done');
  done.catch(() => undefined);
  await reported('ready');
  return {
    pid: child.pid!,
    go: () => {
      child.send('go');
    },
    report: (records) => {
      child.send({ records });
    },
    done,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
