import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { AnalyzerReport, FleetAnalyzer, Judged } from './fleet-analyzer';

/** A report of one of them. */
export interface JudgedBy extends Judged {
  readonly by: number;
}

/** Some analyzers of one group, a process each. */
export interface Analyzers {
  /** Who has a partition, and how far it was judged. */
  readonly newest: ReadonlyMap<number, JudgedBy>;
  /** Settles when every partition is held by one of them. */
  allHeld(): Promise<void>;
  /** Settles at the first report of that kind, which may be in the past. */
  until(holds: (judged: JudgedBy) => boolean): Promise<JudgedBy>;
  /** Heap and buffers of all, after a full garbage collection each. */
  heapMiB(): Promise<number>;
  /** At once, as when its machine is lost. @returns when; milliseconds since 1970. */
  kill(which: number): Promise<number>;
  stop(): Promise<void>;
}

export async function startAnalyzers(
  count: number,
  brokers: readonly string[],
  folder: string,
): Promise<Analyzers> {
  const newest = new Map<number, JudgedBy>();
  const waiting = new Set<() => void>();
  const reports: JudgedBy[] = [];
  const start = async (by: number): Promise<ChildProcess> => {
    const task: FleetAnalyzer = { brokers, folder: join(folder, String(by)) };
    await mkdir(task.folder, { recursive: true });
    const child = fork(join(__dirname, 'fleet-analyzer.js'), [JSON.stringify(task)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (report: AnalyzerReport) => {
      if (!('judged' in report)) return;
      const judged = { ...report.judged, by };
      newest.set(judged.partition, judged);
      reports.push(judged);
      for (const wake of waiting) wake();
    });
    return child;
  };
  const children = await Promise.all(Array.from({ length: count }, (_, by) => start(by)));
  const settled = <T>(found: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const result = found();
        if (result === undefined) return;
        waiting.delete(check);
        resolve(result);
      };
      waiting.add(check);
      check();
    });
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    newest,
    allHeld: () => settled(() => (newest.size === PARTITIONS ? newest : undefined)).then(() => {}),
    until: (holds) => settled(() => reports.find(holds)),
    async heapMiB() {
      let sum = 0;
      for (const child of children) {
        const answer = new Promise<number>((resolve) => {
          const hear = (report: AnalyzerReport): void => {
            if (!('heapMiB' in report)) return;
            child.off('message', hear);
            resolve(report.heapMiB);
          };
          child.on('message', hear);
        });
        child.send('heap');
        sum += await answer;
      }
      return sum;
    },
    async kill(which) {
      const at = Date.now();
      await end(children[which]!, 'SIGKILL');
      return at;
    },
    stop: async () => void (await Promise.all(children.map((it) => end(it, 'SIGKILL')))),
  };
}
