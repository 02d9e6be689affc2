import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import { FINDINGS, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka, ovn } from '@ovn-steward/testbed/fixture';
import { startKafka, type KafkaCluster } from '@ovn-steward/testbed/kafka';
import { startOvnStandalone, type OvnServer } from '@ovn-steward/testbed/ovn';
import { ROOT } from './repository';

interface Step {
  readonly says: string;
  readonly command: readonly string[];
}
const load = createRequire(__filename);
const { story } = load(join(ROOT, 'deploy/demo/story.cjs')) as {
  story(cluster: { seed: number; ports: unknown }): Iterable<Step>;
};
const { livingPorts } = load(join(ROOT, 'deploy/demo/northbound.cjs')) as {
  livingPorts(nbctl: (args: readonly string[]) => Promise<string>): Promise<unknown[]>;
};

const RECORDING = join(ROOT, 'examples/recordings/leaky');
const TWO_MINUTES = 120_000;

interface Found {
  readonly id: string;
  readonly rule: string;
  readonly summary: string;
}

/**
 * What `steward audit` finds in a Northbound database beside the recorded Kubernetes, by its id.
 */
function audited(northbound: string): Promise<Map<string, Found>> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [
        join(ROOT, 'apps/steward/bin/steward.cjs'),
        'audit',
        '--ovn-nb',
        northbound,
        '--kubernetes',
        RECORDING,
        '--output',
        'json',
      ],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error && error.code !== 2)
          return reject(new Error(`steward audit: ${stderr}`, { cause: error }));
        resolve(
          new Map((JSON.parse(stdout) as { findings: Found[] }).findings.map((it) => [it.id, it])),
        );
      },
    );
  });
}

describeWith(ovn, 'the demo cluster', () => {
  let server: OvnServer;
  beforeAll(async () => {
    server = await startOvnStandalone({ database: join(RECORDING, 'nb.db') });
  });
  afterAll(() => server?.stop());

  it(
    'shows the troubles of its story as findings, and restarts as nothing',
    async () => {
      const nbctl = (args: readonly string[]): Promise<string> => server.nbctl(...args);
      const ports = await livingPorts(nbctl);
      expect(ports.length).toBeGreaterThan(40);
      const before = await audited(join(RECORDING, 'nb.db'));
      const lines: string[] = [];
      for (const { says, command } of story({ seed: 1, ports })) {
        await nbctl(command);
        if (lines.push(says) === 35) break;
      }
      expect(lines.filter((it) => it.includes('restarts')).length).toBeGreaterThan(5);

      const new_ = [...(await audited(server.remote))]
        .filter(([id]) => !before.has(id))
        .map(([, it]) => it);
      const [, lost] = /pod (\S+) runs on, but its port is lost/.exec(lines.join('\n'))!;
      const [, duplicate, duplicateOf] = /port (\S+) is made with the address of (\S+)/.exec(
        lines.join('\n'),
      )!;
      const [, stray] = /port (\S+) gets into port group/.exec(lines.join('\n'))!;
      const found = (rule: string): string =>
        new_
          .filter((it) => it.rule === rule)
          .map((it) => it.summary)
          .join('\n');
      expect(found('missing-logical-switch-port')).toContain(lost);
      expect(found('duplicate-port-address')).toContain(duplicate);
      expect(found('duplicate-port-address')).toContain(duplicateOf);
      expect(found('orphaned-logical-switch-port')).toContain(duplicate);
      expect(found('stale-port-group-member')).toContain(stray);
      // A port the recording already held against its pod is a new one after a restart, and still
      // in the wrong group.
      expect([...new Set(new_.map((it) => it.rule))].sort()).toEqual([
        'duplicate-port-address',
        'missing-logical-switch-port',
        'orphaned-logical-switch-port',
        'stale-port-group-member',
      ]);
    },
    TWO_MINUTES,
  );
});

describeWith(kafka, 'the demo subscriber', () => {
  let cluster: KafkaCluster;
  let subscriber: ChildProcess | undefined;
  beforeAll(async () => {
    cluster = await startKafka();
  }, TWO_MINUTES);
  afterAll(async () => {
    subscriber?.kill('SIGKILL');
    await cluster?.stop();
  });

  it(
    'waits for the topic, prints each finding on a line, and ends when told',
    async () => {
      let printed = '';
      let ended = Promise.resolve<number | null>(null);
      const start = (): void => {
        subscriber = spawn(process.execPath, [join(ROOT, 'deploy/demo/subscriber.cjs')], {
          env: { DEMO_BROKERS: cluster.bootstrap.join(',') },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        subscriber.stdout!.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
        });
        ended = new Promise((resolve) => {
          subscriber!.once('exit', (code) => {
            // As the container's restart policy does: brokers that are slow to answer end it.
            if (code === 1) start();
            else resolve(code);
          });
        });
      };
      start();
      const prints = async (what: string): Promise<void> => {
        while (!printed.includes(what)) await sleep(50);
      };
      await prints('waiting for steward.findings.v1');

      const log = openKafkaLog({
        brokers: cluster.bootstrap,
        clientId: 'demo-test',
        replicationFactor: 1,
      });
      await log.ensureTopics(TOPICS);
      const value = readFileSync(join(ROOT, 'contracts/examples/finding-event.v1.confirmed.json'));
      await log.append(FINDINGS, 1, [
        { key: 'a', value, timestamp: Date.now() },
        { key: 'a', value: null, timestamp: Date.now() },
      ]);
      await log.close();
      await prints('confirmed warning  278d5047f4 orphaned-logical-switch-port');

      subscriber!.kill('SIGTERM');
      expect(await ended).toBe(0);
      const lines = printed.trim().split('\n');
      expect(lines.filter((it) => !it.startsWith('waiting for '))).toHaveLength(1);
    },
    TWO_MINUTES,
  );
});
