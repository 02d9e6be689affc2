import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openDatabase } from '@ovn-steward/ovsdb';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { lead } from '../../apps/steward/src/testing/lead';
import { STEWARD } from '../support/steward';
import { type Northbound, northboundOf } from './actor/northbound';
import { type Objects, objectsOf } from './actor/objects';

/** No grace: what is seen is confirmed at once, and minutes of waiting are left out. The controller's recorded Lease is not waited for. */
const WITHOUT_WAITING = {
  cluster: 'incident',
  grace: {
    garbage: '0s',
    leak: '0s',
    drift: '0s',
    stuck: '0s',
    misplaced: '0s',
    missing: '0s',
    damage: '0s',
  },
  executor: { yield: { afterLease: '0s' }, guard: { podGates: true } },
};

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real ovsdb-server and a real kube-apiserver with a cluster in them, and a person with a shell beside them. */
export interface Stage {
  readonly northbound: Northbound;
  readonly objects: Objects;
  /**
   * Runs `steward …`, or several with `;` between them, in a folder of the stage, with its servers in the settings and nothing else. What is
   * found, or not known, is no failure; an error (exit code 1) throws. @returns what the last one said.
   */
  run(command: string): Promise<Said>;
  /** Runs `steward …` beside what else is done. `stop` interrupts it as Ctrl-C would. */
  runBeside(command: string): { stop(): Promise<void> };
  stop(): Promise<void>;
}

export async function startStage({
  database,
  cluster,
}: {
  readonly database: string;
  readonly cluster: string;
}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-incident-'));
  const nb = await startOvnStandalone({ database });
  const kubernetes = await startKubernetes({ recording: cluster });
  const session = await openDatabase({ remotes: nb.remote, database: 'OVN_Northbound' });
  // The actor is Kube-OVN's controller: it leads for as long as there is a stage.
  const resign = lead(kubernetes.api);
  const settings = join(folder, 'steward.yaml');
  writeFileSync(
    settings,
    JSON.stringify({
      ...WITHOUT_WAITING,
      ovnNb: { remote: nb.remote },
      kubernetes: { kubeconfig: kubernetes.kubeconfig },
      stateDir: join(folder, 'state'),
    }),
  );
  return {
    northbound: northboundOf(session, nb.nbctl),
    objects: objectsOf(kubernetes.api),
    async run(command) {
      let last: Said = { code: 0, stdout: '', stderr: '' };
      for (const one of command.split('; ')) {
        last = await said(one.split(' ').slice(1), folder, settings);
        if (![0, 2, 3].includes(last.code ?? 1))
          throw new Error(`${one} ended with ${last.code}: ${last.stdout}${last.stderr}`);
      }
      return last;
    },
    runBeside(command) {
      const child = started(command.split(' ').slice(1), folder, settings);
      const ended = once(child, 'close');
      child.stdout.resume();
      child.stderr.resume();
      return {
        async stop() {
          child.kill('SIGINT');
          await ended;
        },
      };
    },
    async stop() {
      await resign();
      session.close();
      await kubernetes.stop();
      await nb.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const started = (
  words: readonly string[],
  cwd: string,
  settings: string,
): ChildProcessByStdio<null, Readable, Readable> =>
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

async function said(words: readonly string[], cwd: string, settings: string): Promise<Said> {
  const child = started(words, cwd, settings);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
