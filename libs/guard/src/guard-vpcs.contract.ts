import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import type { GuardEvent } from './guard-event';
import { guardVpcs } from './guard-vpcs';

/** A cluster in which Kube-OVN is played by the test. */
export interface GuardedCluster {
  readonly kubernetes: Kubernetes;
  put(object: GivenObject): Promise<KubernetesObject>;
  remove(kind: string, namespace: string | undefined, name: string): Promise<void> | void;
  eventNotes(namespace: string, name: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const THEIRS = 'kubeovn.io/kube-ovn-controller';
const signal = new AbortController().signal;

/** What the guard of Vpcs keeps, in any cluster. */
export function describeGuarding(name: string, start: () => Promise<GuardedCluster>): void {
  describe(name, () => {
    let cluster: GuardedCluster;
    const running: { stop: AbortController; ended: Promise<void> }[] = [];
    const events: GuardEvent[] = [];
    beforeAll(async () => {
      cluster = await start();
    }, 180_000);
    afterAll(() => cluster?.stop());
    afterEach(async () => {
      await down();
      events.length = 0;
    });

    const up = (kubernetes: GuardOptionsOf = cluster.kubernetes, holds = true): void => {
      const stop = new AbortController();
      running.push({
        stop,
        ended: guardVpcs(
          {
            kubernetes,
            holds,
            onEvent: (it) => events.push(it),
            reportAfterMs: 400,
            backOff: () => 20,
          },
          stop.signal,
        ),
      });
    };
    const down = async (): Promise<void> => {
      for (const { stop, ended } of running.splice(0)) {
        stop.abort();
        await ended;
      }
    };
    const vpc = (
      itsName: string,
      metadata: Readonly<Record<string, unknown>> = {},
      status?: unknown,
    ) =>
      cluster.put({
        apiVersion: 'kubeovn.io/v1',
        kind: 'Vpc',
        metadata: { name: itsName, ...metadata },
        spec: {},
        ...(status !== undefined && { status }),
      });
    const subnet = (itsName: string, of: string, more: Readonly<Record<string, unknown>> = {}) =>
      cluster.put({
        apiVersion: 'kubeovn.io/v1',
        kind: 'Subnet',
        metadata: { name: itsName },
        spec: { vpc: of, ...more },
      });
    const now = (itsName: string) => cluster.kubernetes.get('Vpc', undefined, itsName, signal);
    const finalizers = async (itsName: string) => (await now(itsName))?.metadata.finalizers ?? [];
    const until = (what: string, check: () => Promise<boolean>) =>
      waitFor(check, { what, timeoutMs: 10_000 });
    const guarded = (itsName: string) =>
      until(`${itsName} to be guarded`, async () =>
        (await finalizers(itsName)).includes(VPC_GUARD),
      );
    const gone = (itsName: string) =>
      until(`${itsName} to be gone`, async () => (await now(itsName)) === undefined);
    const erase = async (itsName: string): Promise<void> => {
      const metadata = (await now(itsName))!.metadata;
      await cluster.kubernetes.delete(
        {
          kind: 'Vpc',
          name: metadata.name,
          uid: metadata.uid,
          resourceVersion: metadata.resourceVersion,
        },
        signal,
      );
    };
    const settled = () => sleep(300);
    const waiting = (): string[] =>
      events
        .flatMap((it) =>
          it.type === 'guard-waits' ? [it.waiting.map(({ name: which }) => which)] : [],
        )
        .at(-1) ?? [];

    test('a Vpc is guarded from its creation, held while subnets name it, and freed with the last', async () => {
      up();
      await vpc('tenant');
      await guarded('tenant');
      await subnet('web', 'tenant');
      await subnet('db', 'tenant');
      await erase('tenant');
      await until(
        'the event',
        async () => (await cluster.eventNotes('default', 'tenant')).length > 0,
      );
      expect((await cluster.eventNotes('default', 'tenant')).at(-1)).toContain(
        'waits for 2 subnets that name this VPC: db, web.',
      );
      expect(events.findLast((it) => it.type === 'guard-waits')).toMatchObject({
        waiting: [
          {
            name: 'tenant',
            subnets: ['db', 'web'],
            since: expect.any(String),
            finalizers: [VPC_GUARD],
          },
        ],
      });
      await cluster.remove('Subnet', undefined, 'web');
      await settled();
      expect(await finalizers('tenant')).toEqual([VPC_GUARD]);
      await cluster.remove('Subnet', undefined, 'db');
      await gone('tenant');
      await until(
        'nothing to wait',
        async () => events.findLast((it) => it.type === 'guard-waits')?.waiting.length === 0,
      );
    });

    test('a Subnet that moves to another Vpc frees the one it named', async () => {
      up();
      await vpc('from');
      await vpc('to');
      await guarded('from');
      await guarded('to');
      await subnet('moving', 'from');
      await erase('from');
      await settled();
      expect(await now('from')).toBeDefined();
      await subnet('moving', 'to');
      await gone('from');
      await cluster.remove('Subnet', undefined, 'moving');
    });

    test('a list of subnets in the status is not what counts', async () => {
      up();
      await vpc('lagging', {}, { default: false, subnets: [] });
      await vpc('doubled', {}, { default: false, subnets: ['old', 'old'] });
      await guarded('lagging');
      await guarded('doubled');
      await subnet('new', 'lagging');
      await erase('lagging');
      await erase('doubled');
      await gone('doubled');
      await settled();
      expect(await finalizers('lagging')).toEqual([VPC_GUARD]);
      await cluster.remove('Subnet', undefined, 'new');
      await gone('lagging');
    });

    test('what is being deleted while nobody is there waits, and is freed by who comes next', async () => {
      up();
      await vpc('alone');
      await guarded('alone');
      await down();
      await subnet('left', 'alone');
      await erase('alone');
      await cluster.remove('Subnet', undefined, 'left');
      await settled();
      expect(await finalizers('alone')).toEqual([VPC_GUARD]);
      up();
      await gone('alone');
    });

    test.each(['add', 'take-off'] as const)(
      'killed between reading and writing (%s), the next one does it',
      async (did) => {
        if (did === 'take-off') {
          up();
          await vpc('killed');
          await guarded('killed');
          await down();
          await erase('killed');
        } else {
          await vpc('killed');
        }
        let died = false;
        up({
          ...cluster.kubernetes,
          patch: () =>
            new Promise((_, reject) => {
              died = true;
              running
                .at(-1)!
                .stop.signal.addEventListener('abort', () => reject(new Error('killed')));
            }),
        });
        await until('it to come to the write', async () => died);
        await down();
        up();
        if (did === 'add') await guarded('killed');
        else await gone('killed');
      },
    );

    test('a Subnet that comes just as the last one goes is seen', async () => {
      await vpc('race', { finalizers: [VPC_GUARD] });
      await subnet('last', 'race');
      await erase('race');
      const list: Kubernetes['list'] = async (kind, namespace, abort) => {
        if (kind === 'Subnet') await subnet('newcomer', 'race');
        return cluster.kubernetes.list(kind, namespace, abort);
      };
      up({ ...cluster.kubernetes, list });
      await settled();
      await cluster.remove('Subnet', undefined, 'last');
      await settled();
      expect(await finalizers('race')).toEqual([VPC_GUARD]);
      await down();
      await cluster.remove('Subnet', undefined, 'newcomer');
      up();
      await gone('race');
    });

    test('a Vpc that changed between reading and writing is read again', async () => {
      await vpc('busy');
      let touched = 0;
      const list: Kubernetes['get'] = async (kind, namespace, itsName, abort) => {
        const read = await cluster.kubernetes.get(kind, namespace, itsName, abort);
        if (itsName === 'busy' && ++touched < 3)
          await vpc('busy', { labels: { touched: String(touched) } });
        return read;
      };
      up({ ...cluster.kubernetes, get: list });
      await guarded('busy');
      expect((await now('busy'))?.metadata['labels']).toEqual({ touched: '2' });
      expect(events.filter((it) => it.type === 'guard-failed')).toEqual([]);
    });

    test('where subnets cannot be read, nothing goes', async () => {
      await vpc('unread', { finalizers: [VPC_GUARD] });
      await erase('unread');
      up({
        ...cluster.kubernetes,
        list: async (kind, ...rest) =>
          kind === 'Subnet'
            ? cluster.kubernetes.list('VirtualMachineInstance', ...rest)
            : cluster.kubernetes.list(kind, ...rest),
      });
      await until('a failure', async () => events.some((it) => it.type === 'guard-failed'));
      expect(await finalizers('unread')).toEqual([VPC_GUARD]);
      await down();
      up();
      await gone('unread');
    });

    test('the default VPC, mirrors, strangers’ finalizers and Kube-OVN’s are left as they are', async () => {
      const kept = [
        await vpc('ovn-cluster', {}, { default: true }),
        await vpc(
          'neutron-edge',
          { labels: { 'ovn.kubernetes.io/vpc_external': 'true' } },
          { subnets: ['lan'] },
        ),
        await vpc('newer', { finalizers: [THEIRS] }),
        await vpc('kept', { annotations: { 'ovn-steward.dev/protect': 'mine' } }),
      ];
      await vpc('strange', { finalizers: ['example.com/other'] });
      up();
      await guarded('strange');
      await settled();
      for (const object of kept)
        expect((await now(object.metadata.name))?.metadata.resourceVersion).toBe(
          object.metadata.resourceVersion,
        );
      await erase('strange');
      await until(
        'ours to be gone',
        async () => (await finalizers('strange')).join() === 'example.com/other',
      );
      await settled();
      expect((await now('strange'))?.metadata.deletionTimestamp).toBeDefined();
    });

    test('ours goes where Kube-OVN puts its own', async () => {
      up();
      await vpc('upgraded');
      await guarded('upgraded');
      await vpc('upgraded', { finalizers: [VPC_GUARD, THEIRS] });
      await until('ours to be gone', async () => (await finalizers('upgraded')).join() === THEIRS);
    });

    test('where it is to hold none it writes nothing but Events, and says what waits for Kube-OVN’s finalizer, or for ours', async () => {
      const patched: string[] = [];
      const { patch } = cluster.kubernetes;
      up(
        {
          ...cluster.kubernetes,
          patch: (object, ...rest) => {
            patched.push(object.name);
            return patch(object, ...rest);
          },
        },
        false,
      );
      await vpc('unheld');
      for (const [itsName, finalizer] of [
        ['watched', THEIRS],
        ['held-before', VPC_GUARD],
      ] as const) {
        await vpc(itsName, { finalizers: [finalizer] });
        await subnet(`in-${itsName}`, itsName);
        await erase(itsName);
        await until('the subnet to be reported', async () =>
          (await cluster.eventNotes('default', itsName)).includes(
            `The deletion waits for a subnet that names this VPC: in-${itsName}. Delete it first.`,
          ),
        );
        await cluster.remove('Subnet', undefined, `in-${itsName}`);
        await until('the finalizer to be reported', async () =>
          (await cluster.eventNotes('default', itsName)).includes(
            `The deletion waits, though no subnet names this VPC, for whoever set its finalizers: ${finalizer}. What they wait for: steward doctor vpc/${itsName}`,
          ),
        );
      }
      expect(waiting()).toEqual(expect.arrayContaining(['watched', 'held-before']));
      expect({
        patched,
        unheld: await finalizers('unheld'),
        heldBefore: await finalizers('held-before'),
      }).toEqual({ patched: [], unheld: [], heldBefore: [VPC_GUARD] });
      await down();
      expect(events.at(-1)).toEqual({ type: 'guard-waits', waiting: [] });
      const { uid, resourceVersion } = (await now('watched'))!.metadata;
      await patch(
        { kind: 'Vpc', name: 'watched', uid, resourceVersion },
        [{ op: 'remove', path: '/metadata/finalizers/0' }],
        signal,
      );
      up();
      await gone('held-before');
    });

    test('a deletion that nothing is in the way of is no Event', async () => {
      await vpc('quick', { finalizers: [THEIRS] });
      up(undefined, false);
      await erase('quick');
      await until('it to wait', async () => waiting().includes('quick'));
      const { uid, resourceVersion } = (await now('quick'))!.metadata;
      await cluster.kubernetes.patch(
        { kind: 'Vpc', name: 'quick', uid, resourceVersion },
        [{ op: 'remove', path: '/metadata/finalizers/0' }],
        signal,
      );
      await until('it to be gone', async () => !waiting().includes('quick'));
      await sleep(600);
      expect(await cluster.eventNotes('default', 'quick')).toEqual([]);
    });

    test('a Vpc that is heard of before the subnets waits for their list', async () => {
      await vpc('early');
      async function* late(kind: string, abort: AbortSignal) {
        if (kind === 'Subnet') await sleep(200);
        yield* cluster.kubernetes.follow(kind, abort);
      }
      up({ ...cluster.kubernetes, follow: late });
      await guarded('early');
    });

    test('two at once do no harm', async () => {
      up();
      up();
      await vpc('twice');
      await guarded('twice');
      await settled();
      expect(await finalizers('twice')).toEqual([VPC_GUARD]);
      await erase('twice');
      await gone('twice');
      expect(events.filter((it) => it.type === 'guard-failed')).toEqual([]);
    });
  });
}

type GuardOptionsOf = Parameters<typeof guardVpcs>[0]['kubernetes'];
