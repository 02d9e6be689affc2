import { setTimeout as sleep } from 'node:timers/promises';
import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import {
  type MemoryKubernetes,
  memoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
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
    notes: async (_, name) =>
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
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await sleep(5);
  };
  const failures = (): string[] =>
    events.flatMap((event) => (event.type === 'guard-failed' ? [event.error] : []));

  test('a refused write is told, is not told as done, and is tried again', async () => {
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

  test('what is no failure of the system ends it: a bug is nothing to try again', async () => {
    const bug = new TypeError('a bug');
    kubernetes.get = () => Promise.reject(bug);
    start(new AbortController().signal);
    vpc();
    await expect(ended).rejects.toBe(bug);
  });
});
