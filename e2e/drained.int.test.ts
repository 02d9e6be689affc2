import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { actionIn } from '@ovn-steward/contracts/actions/action-codec';
import { ACTIONS } from '@ovn-steward/shared/log/topics';
import { describeWith, helm, kafka, kubectl, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { drain } from './drained/drain';
import { type Installed, install, NAMESPACE, NODES, REMOVING } from './drained/installed';
import { plantPorts } from './support/leaked-ports';
import { readTopic } from './support/topic';
import { judge } from './support/verdict';

const SERVICES = ['collector', 'analyzer', 'executor'].map((it) => `ovn-steward-${it}`);
const PORTS = 20;

const need = [ovn, kubernetes, kafka, kubectl] as const;
const withAll = (tests: () => void): void =>
  need.reduceRight<() => void>(
    (inner, fixture) => () => describeWith(fixture, `and ${fixture.name}`, inner),
    tests,
  )();

describeWith(helm, 'the chart in mode kafka, installed with Helm', () => {
  withAll(() => {
    let brokers: KafkaCluster;
    let installed: Installed;
    let before: string;
    const leaked: string[] = [];

    beforeAll(async () => {
      brokers = await startKafka();
      installed = await install(
        (remote) => ({
          mode: 'kafka',
          signing: { secretName: 'executor-key', trustedKeysConfigMap: 'trusted-keys' },
          settings: {
            ...REMOVING,
            kafka: { brokers: brokers.bootstrap, replicationFactor: 1 },
            lease: { enabled: 'always', namespace: NAMESPACE, duration: '6s' },
            ovnNb: { remote },
          },
        }),
        { 'ovn-steward-collector': 'collector', 'ovn-steward-executor': 'executor' },
      );
      before = await installed.witness.contents();
    }, 300_000);
    afterAll(async () => {
      await installed?.stop();
      await brokers?.stop();
    });

    const leak = async (prefix: string): Promise<readonly string[]> => {
      const ports = await installed.witness.withSession((session) =>
        plantPorts(session, prefix, PORTS),
      );
      leaked.push(...ports);
      return ports;
    };
    const gone = (ports: readonly string[], count = ports.length): Promise<unknown> =>
      waitFor(() => Promise.resolve(installed.witness.gone(ports) >= count), {
        what: `${count} of ${ports.length} leaked ports to be removed`,
        timeoutMs: 300_000,
      });
    /** Of each action the last record. */
    const actions = async (): Promise<readonly ActionRecord[]> => {
      const last = new Map<string, ActionRecord>();
      for (const { key, value } of await readTopic(brokers.bootstrap, ACTIONS))
        last.set(key, actionIn(value!));
      return [...last.values()];
    };

    test('one pod of each workload may be evicted at a time', async () => {
      await installed.evict('ovn-steward-analyzer-0');
      await expect(installed.evict('ovn-steward-analyzer-1')).rejects.toMatchObject({
        status: 429,
        message: expect.stringContaining('disruption budget'),
      });
      await installed.evict('ovn-steward-collector-1'); // a budget of its own
      await installed.nodes.allReady();
    }, 240_000);

    test('a drained node with local volumes: the others go on, and its pods when it is back', async () => {
      const first = await leak('first');
      await gone(first, 3);
      const [node] = NODES;
      const here = installed.nodes.on(node);
      expect(here.map((pod) => pod.replace(/-\d$/, '')).sort()).toEqual([...SERVICES].sort());
      await installed.kubectl(...drain(node));
      await installed.nodes.pending(here);
      const meanwhile = await leak('meanwhile');
      await gone([...first, ...meanwhile]);
      expect(installed.nodes.on(node)).toEqual([]);
      await installed.kubectl('uncordon', node);
      await installed.nodes.allReady();
      expect(installed.nodes.on(node)).toEqual(here);
    }, 600_000);

    test('both nodes drained at once: the pods go to a third, without what was in their volumes', async () => {
      const [one, other, third] = NODES;
      const moving = await leak('moving');
      await gone(moving, 3);
      for (const pod of [...installed.nodes.on(one), ...installed.nodes.on(other)])
        installed.nodes.volumes.delete(pod);
      await Promise.all([installed.kubectl(...drain(one)), installed.kubectl(...drain(other))]);
      await installed.nodes.allReady();
      expect(installed.nodes.on(third)).toHaveLength(2 * SERVICES.length);
      await gone(moving);
    }, 600_000);

    test('nothing was lost, and nothing found or done twice', async () => {
      await waitFor(
        async () =>
          (await actions()).filter(({ state }) => state === 'done').length >= leaked.length,
        { what: 'every removal to be recorded as done', timeoutMs: 60_000 },
      );
      const recorded = await actions();
      expect(recorded.map(({ state }) => state)).toEqual(leaked.map(() => 'done'));
      expect(new Set(recorded.map(({ target }) => target.uid))).toEqual(new Set(leaked));
      const epitaphs = await installed.witness.epitaphs();
      expect(recorded.map(({ target }) => epitaphs.get(target.uid))).toEqual(
        recorded.map(({ id }) => [expect.stringContaining(`action ${id}`)]),
      );
      expect(await installed.witness.contents()).toBe(before);
      expect(
        await judge({
          northbound: installed.nb.remotes.join(','),
          kubeconfig: installed.kubernetes.kubeconfig,
          bootstrap: brokers.bootstrap,
          cluster: REMOVING.cluster,
        }),
      ).toEqual({ lost: [], duplicated: [], differing: [] });
      expect(await readTopic(brokers.bootstrap, 'steward.dead-letter.v1')).toEqual([]);
    }, 240_000);

    test('every process ended in order within its grace period, and only when asked to', () => {
      expect(installed.nodes.ended.length).toBeGreaterThanOrEqual(2 + 3 * SERVICES.length);
      expect(
        installed.nodes.ended.filter(({ status, byItself }) => status !== 0 || byItself),
      ).toEqual([]);
    });
  });
});
