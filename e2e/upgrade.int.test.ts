import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { type Service, startService } from './support/service';
import { STEWARD } from './support/steward';
import { readTopic } from './support/topic';
import { report } from './upgrade/keep-state';
import { SHOWN } from './upgrade/kept-state';
import { keptVersions, shownBy, unpackState } from './upgrade/kept-states';
import {
  beforeRoot,
  describeWithVersionBefore,
  isOfRuleBefore,
  withoutNewWords,
} from './upgrade/version-before';

const CLUSTER = 'enforced';
/** Nobody listens there: what is known stays as it is. */
const UNREACHABLE = ['--ovn-nb', 'tcp:127.0.0.1:1', '--cluster', CLUSTER];

let folder: string;
let kubeconfig: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-upgrade-'));
  kubeconfig = join(folder, 'kubeconfig');
  const cluster = { name: 'c', cluster: { server: 'https://127.0.0.1:1' } };
  const context = { name: 'c', context: { cluster: 'c', user: 'u' } };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      clusters: [cluster],
      contexts: [context],
      users: [{ name: 'u', user: {} }],
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runOn = (steward: string, state: string): Promise<string> =>
  report(
    steward,
    ['run', ...UNREACHABLE, '--kubernetes', kubeconfig, '--state-dir', state, '--until-quiet', '8'],
    [2, 3],
  );
const shown = async (steward: string, state: string, what: string): Promise<unknown> =>
  listOf(
    what,
    JSON.parse(await report(steward, [...SHOWN[what]!, '--state-dir', state], [0, 2, 3])),
  );

/** Without who confirmed what, and when: every run does it again. */
const listOf = (what: string, document: unknown): unknown =>
  what === 'holds'
    ? (document as { holds: unknown }).holds
    : what === 'suppressions'
      ? (document as { kept: unknown }).kept
      : document;
const kept = (version: string, what: string): unknown => listOf(what, shownBy(version, what));

/** What is compared of it. */
const comparable = (what: string, list: unknown): unknown =>
  what === 'findings'
    ? (list as readonly unknown[]).filter(isOfRuleBefore).map(withoutNewWords)
    : list;

/** What a version showed, without what a later one may add to it. */
const known = (now: unknown, then: unknown): unknown => {
  if (Array.isArray(now) && Array.isArray(then))
    return now.map((it, at) => (at < then.length ? known(it, then[at]) : it));
  if (typeof now !== 'object' || now === null || typeof then !== 'object' || then === null)
    return now;
  return Object.fromEntries(
    Object.entries(now)
      .filter(([name]) => Object.hasOwn(then, name))
      .map(([name, value]) => [name, known(value, (then as Record<string, unknown>)[name])]),
  );
};

describe.each(keptVersions())('the state that %s made', (version) => {
  let state: string;
  beforeAll(() => {
    state = join(folder, `state-${version}`);
    unpackState(version, state);
  });

  test('has findings, actions and decisions in it', () => {
    for (const what of Object.keys(SHOWN))
      expect(JSON.stringify(kept(version, what)).length).toBeGreaterThan(100);
    const states = (shownBy(version, 'actions') as { state: string }[]).map((it) => it.state);
    expect(states.filter((it) => it === 'done').length).toBeGreaterThan(5);
  });

  test.each(Object.keys(SHOWN))(
    'shows the same %s before and after this version ran on it',
    async (what) => {
      const then = comparable(what, kept(version, what));
      const now = async (): Promise<unknown> =>
        known(comparable(what, await shown(STEWARD, state, what)), then);
      expect(await now()).toEqual(then);
      await runOn(STEWARD, state);
      expect(await now()).toEqual(then);
    },
    180_000,
  );

  describeWithVersionBefore('rolled back', () => {
    test.each(Object.keys(SHOWN))(
      'shows the same %s to the version before',
      async (what) => {
        const before = join(beforeRoot(), 'apps/steward/bin/steward.cjs');
        await runOn(before, state);
        expect(comparable(what, await shown(before, state, what))).toEqual(
          comparable(what, kept(version, what)),
        );
      },
      180_000,
    );
  });

  describeWith(kafka, 'with its log on Kafka', () => {
    let brokers: KafkaCluster;
    const services: Service[] = [];
    beforeAll(async () => {
      brokers = await startKafka();
      await copyLog(version, brokers);
    }, 180_000);
    afterAll(async () => {
      await Promise.all(services.map((it) => it.kill()));
      await brokers?.stop();
    });

    test('gives the services of this version the same findings and actions, and no dead letter', async () => {
      for (const name of ['analyzer', 'executor'] as const)
        services.push(
          await startService(name, {
            settings: {
              cluster: CLUSTER,
              stateDir: join(folder, `${name}-${version}`),
              'kafka.brokers': brokers.bootstrap.join(','),
              'kafka.replicationFactor': '1',
              'signing.required': 'false',
            },
          }),
        );
      await Promise.all(services.map((it) => it.ready()));
      const [analyzer] = services as [Service];
      const open = (await (
        await fetch(`${analyzer.url}/findings?cluster=${CLUSTER}&limit=1000`)
      ).json()) as { findings: Seen[] };
      const then = kept(version, 'findings') as Seen[];
      const briefly = (all: readonly Seen[]): string[] =>
        all
          .filter(isOfRuleBefore)
          .map((it) => brief(withoutNewWords(it) as Seen))
          .sort();
      expect(briefly(open.findings)).toEqual(briefly(then));
      const channel = ['--kafka-brokers', brokers.bootstrap.join(','), '--cluster', CLUSTER];
      const ledger = JSON.parse(
        await report(STEWARD, ['actions', ...channel, '--output', 'json'], [0, 2, 3]),
      ) as { id: string }[];
      expect(ledger.map((it) => it.id).sort()).toEqual(
        (shownBy(version, 'actions') as { id: string }[]).map((it) => it.id).sort(),
      );
      expect(await readTopic(brokers.bootstrap, 'steward.dead-letter.v1')).toEqual([]);
      expect(services.map((it) => it.ends())).toEqual([0, 0]);
    }, 180_000);
  });
});

interface Seen {
  readonly id: string;
  readonly revision: number;
  readonly state: string;
  readonly firstSeen: string;
}
const brief = ({ id, revision, state, firstSeen }: Seen): string =>
  `${id} ${revision} ${state} ${firstSeen}`;

/** Every record of the kept log, on the topics of a Kafka. */
async function copyLog(version: string, brokers: KafkaCluster): Promise<void> {
  const state = join(folder, `log-${version}`);
  unpackState(version, state);
  const from = openSqliteLog({ file: join(state, 'log.db') });
  const to = openKafkaLog({ brokers: brokers.bootstrap, clientId: 'copy', replicationFactor: 1 });
  try {
    await to.ensureTopics(TOPICS);
    for (const { name, partitions } of TOPICS)
      for (let partition = 0; partition < partitions; partition += 1) {
        const { high } = await from.watermarks(name, partition).catch(() => ({ high: 0n }));
        for (let at = 0n; at < high;) {
          const { records, next } = await from.read(name, partition, at, 100);
          const copies = records.map(({ key, value, headers, timestamp }) => ({
            key,
            value,
            timestamp,
            ...(headers && { headers }),
          }));
          if (copies.length > 0) await to.append(name, partition, copies);
          at = next;
        }
      }
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}
