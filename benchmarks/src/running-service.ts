import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimPort } from '@ovn-steward/testbed/run/ports';

const SERVICES = join(__dirname, '..', '..', 'services');
const PATIENCE_MS = 300_000;

/** A service as it was built last, in a process of its own. */
export interface RunningService {
  readonly pid: number;
  /** Settles when `GET /readyz` says 200. */
  ready(): Promise<void>;
  /** Settles when every series of that gauge is 0, and there is one. */
  zero(gauge: string): Promise<void>;
  end(): Promise<void>;
}

/** @param settings by dotted path; where it listens is chosen here. */
export async function startService(
  name: 'collector' | 'analyzer' | 'executor' | 'notifier',
  settings: Readonly<Record<string, string>>,
): Promise<RunningService> {
  const listen = `127.0.0.1:${await claimPort()}`;
  const flags = Object.entries({
    ...settings,
    'http.listen': listen,
    'http.probes': '127.0.0.1:0',
  }).flatMap(([path, value]) => [`--${path}`, value]);
  const child = spawn(process.execPath, [join(SERVICES, name, 'dist', 'main.js'), ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const until = async (path: string, isSo: (text: string) => boolean): Promise<void> => {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
      const answer = await fetch(`http://${listen}${path}`).catch(() => undefined);
      if (answer?.ok && isSo(await answer.text())) return;
      if (hasEnded()) throw new Error(`the ${name} ended with ${child.exitCode}`);
      if (Date.now() > end) throw new Error(`the ${name} never answered as it should at ${path}`);
    }
  };
  return {
    pid: child.pid!,
    ready: () => until('/readyz', () => true),
    zero: (gauge) =>
      until('/metrics', (text) => {
        const series = text.split('\n').filter((it) => it.startsWith(`${gauge}{`));
        return series.length > 0 && series.every((it) => it.endsWith(' 0'));
      }),
    async end() {
      if (hasEnded()) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
