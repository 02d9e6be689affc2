import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Session } from '@ovn-steward/ovsdb';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { plantLeaks } from './leaks';
import { STEWARD } from '../steward';

const GRACES = [0, 20] as const;
/** Leaks that are planted one after the other, for each grace. */
const CAUSES = 5;
/**
 * Between two of them, so that they meet the sources at any moment: no multiple of any interval.
 */
const APART_MS = 7_300;
/**
 * An idle cluster: everything was read, and nothing has happened for longer than any source waits.
 */
const IDLE_MS = 30_000;

interface Line {
  readonly state: string;
  readonly subject: { readonly name: string };
}

/**
 * From a leak in the Northbound to its confirmed finding, on a real API server in which nothing
 * else happens; seconds, the shortest first.
 */
export async function benchConfirm(): Promise<object> {
  const nb = await startOvnStandalone({ database: recording('clean', 'nb.db') });
  const kubernetes = await startKubernetes({ recording: recording('clean', 'kubernetes.json') });
  const session = await openDatabase({ remotes: nb.remote, database: 'OVN_Northbound' });
  try {
    const measured: Record<string, readonly number[]> = {};
    for (const grace of GRACES)
      measured[`grace${grace}s`] = await delays(session, grace, {
        cluster: 'bench',
        ovnNb: { remote: nb.remote },
        kubernetes: { kubeconfig: kubernetes.kubeconfig },
        grace: { garbage: `${grace}s`, leak: `${grace}s` },
      });
    return measured;
  } finally {
    session.close();
    await kubernetes.stop();
    await nb.stop();
  }
}

async function delays(session: Session, grace: number, settings: object): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  const config = join(folder, 'steward.yaml');
  await writeFile(config, JSON.stringify({ ...settings, stateDir: join(folder, 'state') }));
  const child = spawn(process.execPath, [STEWARD, 'run', '--output', 'ndjson'], {
    env: { PATH: process.env['PATH'], HOME: folder, STEWARD_CONFIG: config },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const planted = new Map<string, number>();
  const took: number[] = [];
  const all = (async () => {
    for await (const text of createInterface(child.stdout)) {
      const said = JSON.parse(text) as Line & { readonly data?: Line };
      const { state, subject } = said.data ?? said;
      const at = state === 'confirmed' ? planted.get(subject.name) : undefined;
      if (at !== undefined) took.push((Date.now() - at) / 1000);
      if (took.length === CAUSES) return;
    }
    throw new Error('steward ended before all was confirmed');
  })();
  try {
    await sleep(IDLE_MS);
    for (let nth = 0; nth < CAUSES; nth += 1) {
      const [name] = await plantLeaks(session, 1, `grace${grace}-${nth}`);
      planted.set(name!, Date.now());
      await sleep(APART_MS);
    }
    await all;
  } finally {
    child.kill('SIGINT');
    await once(child, 'exit');
    await rm(folder, { recursive: true });
  }
  return took.sort((a, b) => a - b);
}
