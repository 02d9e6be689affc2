import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import {
  type MemoryKubernetes,
  memoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import { until } from '@ovn-steward/shared/testing/until';
import type { GuardEvent } from './guard-event';
import { guardVpcs } from './guard-vpcs';
import { describeGuarding } from './guard-vpcs.contract';

describeGuarding('in memory', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.notInstalled.add('VirtualMachineInstance');
  return {
    kubernetes,
    put: async (object) => kubernetes.put(object),
    remove: (kind, namespace, name) => kubernetes.remove(kind, namespace, name),
    eventNotes: async (_, name) =>
      kubernetes.events.filter((it) => it.regarding.name === name).map((it) => it.note),
    stop: async () => undefined,
  };
});

describe('what goes wrong', () => {
  const stop = new AbortController();
  let kubernetes: MemoryKubernetes;
  let events: GuardEvent[];
  let ended: Promise<void>;
  beforeEach(() => {
    kubernetes = memoryKubernetes();
    kubernetes.notInstalled.add('VirtualMachineInstance');
    events = [];
  });
  const start = (signal: AbortSignal): void => {
    ended = guardVpcs(
      { kubernetes, holds: true, onEvent: (event) => events.push(event), backOff: () => 5 },
      signal,
    );
  };
  const finalizers = (): readonly string[] =>
    kubernetes.objects('Vpc')[0]?.metadata.finalizers ?? [];
  const vpc = (): void =>
    void kubernetes.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Vpc',
      metadata: { name: 'tenant' },
      spec: {},
    } as never);
  const failures = (): string[] =>
    events.flatMap((event) => (event.type === 'guard-failed' ? [event.error] : []));

  test('a refused write is reported, is not reported as done, and is tried again', async () => {
    kubernetes.forbidden.add('patch Vpc');
    start(stop.signal);
    vpc();
    await until(() => failures().length > 2);
    expect(failures()[0]).toContain('Vpc tenant was left as it is');
    expect([finalizers(), events.some(({ type }) => type === 'guarded')]).toEqual([[], false]);
    kubernetes.forbidden.clear();
    await until(() => finalizers().includes(VPC_GUARD));
    stop.abort();
    await ended;
  });

  test('a Vpc that somebody else reconciled begins anew at its first wait', async () => {
    const waits: string[] = [];
    const end = new AbortController();
    const put = (name: string, finalizers: string[] = []): void =>
      void kubernetes.put({
        apiVersion: 'kubeovn.io/v1',
        kind: 'Vpc',
        metadata: { name, finalizers },
        spec: {},
      } as never);
    const last = (): string => failures().at(-1)?.split(' ')[1] ?? '';
    kubernetes.forbidden.add('patch Vpc');
    const guarding = guardVpcs(
      {
        kubernetes,
        holds: true,
        onEvent: (event) => events.push(event),
        backOff: (attempt) => {
          waits.push(`${last()} ${attempt}`);
          return 5;
        },
      },
      end.signal,
    );
    put('tenant');
    await until(() => waits.includes('tenant 3'));
    put('tenant', [VPC_GUARD]);
    put('marker'); // checked after it
    await until(() => waits.includes('marker 1'));
    waits.length = 0;
    put('tenant');
    await until(() => waits.some((it) => it.startsWith('tenant')));
    expect(waits.find((it) => it.startsWith('tenant'))).toBe('tenant 1');
    end.abort();
    await guarding;
  });

  test('what is no failure of the system ends all of it: a bug is nothing to try again', async () => {
    const bug = new TypeError('a bug');
    const follow = kubernetes.follow.bind(kubernetes);
    const signals: AbortSignal[] = [];
    kubernetes.follow = (kind, signal, only) => {
      signals.push(signal);
      return follow(kind, signal, only);
    };
    kubernetes.get = () => Promise.reject(bug);
    start(new AbortController().signal);
    vpc();
    await expect(ended).rejects.toBe(bug);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

describe('what is heard of subnets', () => {
  const THEIRS = 'kubeovn.io/kube-ovn-controller';
  let kubernetes: MemoryKubernetes;
  let events: GuardEvent[];
  let stop: AbortController;
  let ended: Promise<void>;
  beforeEach(() => {
    kubernetes = memoryKubernetes();
    kubernetes.notInstalled.add('VirtualMachineInstance');
    events = [];
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await ended;
  });
  const start = (): void => {
    ended = guardVpcs(
      { kubernetes, holds: true, onEvent: (event) => events.push(event), backOff: () => 5 },
      stop.signal,
    );
  };
  const vpc = (name: string, metadata: object = {}): void =>
    void kubernetes.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Vpc',
      metadata: { name, ...metadata },
      spec: {},
    });
  const going = { deletionTimestamp: '2030-01-01T00:00:00Z' };
  const subnet = (name: string, spec?: object): void =>
    void kubernetes.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Subnet',
      metadata: { name },
      ...(spec && { spec }),
    });
  const finalizers = (name: string): readonly string[] | undefined =>
    kubernetes.objects('Vpc').find((it) => it.metadata.name === name)?.metadata.finalizers;
  const waiting = (name: string) =>
    events
      .findLast((event) => event.type === 'guard-waits')
      ?.waiting.find((it) => it.name === name);

  test('as long as no list of them is there, nothing is written, and nobody says that none is in the way', async () => {
    kubernetes.forbidden.add('follow Subnet');
    vpc('tenant');
    vpc('going', { ...going, finalizers: [THEIRS] });
    start();
    await until(() => events.filter(({ type }) => type === 'guard-failed').length > 2);
    await until(() => waiting('going') !== undefined);
    expect([finalizers('tenant') ?? [], waiting('going')?.subnets]).toEqual([[], undefined]);
    kubernetes.forbidden.clear();
    await until(() => finalizers('tenant')?.includes(VPC_GUARD) === true);
    expect(waiting('going')?.subnets).toEqual([]);
  });

  test('one that comes while a deletion waits is named as well', async () => {
    vpc('going', { ...going, finalizers: [THEIRS] });
    subnet('web', { vpc: 'going' });
    start();
    await until(() => waiting('going')?.subnets?.join() === 'web');
    subnet('db', { vpc: 'going' });
    await until(() => waiting('going')?.subnets?.join() === 'db,web');
  });

  test('the Vpc in which one becomes the default subnet is held no more', async () => {
    vpc('tenant');
    subnet('web', { vpc: 'tenant' });
    start();
    await until(() => finalizers('tenant')?.includes(VPC_GUARD) === true);
    subnet('web', { vpc: 'tenant', default: true });
    await until(() => finalizers('tenant')?.length === 0);
  });

  test('one that does not say its Vpc keeps all, until it says so', async () => {
    vpc('going', { ...going, finalizers: [VPC_GUARD] });
    vpc('other');
    subnet('silent');
    start();
    await until(() => finalizers('other')?.includes(VPC_GUARD) === true);
    expect(waiting('going')?.subnets).toBeUndefined();
    subnet('silent', { vpc: 'other' });
    await until(() => finalizers('going') === undefined);
  });
});
