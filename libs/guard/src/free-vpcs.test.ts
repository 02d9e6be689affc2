import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { freeVpcs } from './free-vpcs';
import { readWaiting } from './waiting';

const signal = new AbortController().signal;
const vpc = (
  name: string,
  finalizers: readonly string[],
  metadata: Readonly<Record<string, unknown>> = {},
) => ({ kind: 'Vpc', metadata: { name, finalizers, ...metadata } });

test('takes ours off every Vpc and leaves the others’', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.put(vpc('a', [VPC_GUARD]));
  kubernetes.put(vpc('b', ['example.com/other', VPC_GUARD]));
  kubernetes.put(vpc('going', [VPC_GUARD], { deletionTimestamp: '2026-01-01T00:00:00Z' }));
  const strange = kubernetes.put(vpc('strange', ['example.com/other']));
  expect(await freeVpcs(kubernetes, signal)).toEqual([
    { name: 'a' },
    { name: 'b' },
    { name: 'going' },
  ]);
  expect(kubernetes.objects('Vpc').map((it) => [it.metadata.name, it.metadata.finalizers])).toEqual(
    [
      ['a', []],
      ['b', ['example.com/other']],
      ['strange', ['example.com/other']],
    ],
  );
  expect(kubernetes.objects('Vpc').at(-1)?.metadata.resourceVersion).toBe(
    strange.metadata.resourceVersion,
  );
});

test('reads again what changed meanwhile, and says what it had to leave', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.put(vpc('busy', [VPC_GUARD]));
  let touched = 0;
  kubernetes.between = ({ verb }, moment) => {
    if (verb === 'patch' && moment === 'before' && touched++ < 2)
      kubernetes.put(vpc('busy', ['first', VPC_GUARD], { labels: { touched: String(touched) } }));
  };
  expect(await freeVpcs(kubernetes, signal)).toEqual([{ name: 'busy' }]);
  expect(kubernetes.objects('Vpc')[0]?.metadata.finalizers).toEqual(['first']);
  kubernetes.put(vpc('mute', [VPC_GUARD]));
  kubernetes.forbidden.add('patch Vpc');
  expect(await freeVpcs(kubernetes, signal)).toEqual([
    { name: 'mute', left: expect.stringContaining('may not') },
  ]);
});

test('reports what waits, with its subnets', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.put(vpc('stays', [VPC_GUARD]));
  kubernetes.put(vpc('going', [VPC_GUARD], { deletionTimestamp: '2026-01-01T00:00:00Z' }));
  kubernetes.put({ kind: 'Subnet', metadata: { name: 'web' }, spec: { vpc: 'going' } });
  expect(await readWaiting(kubernetes, signal)).toMatchObject([
    { name: 'going', since: '2026-01-01T00:00:00Z', subnets: ['web'] },
  ]);
});

test('one that others change all the time is left after five tries, and one that is refused after one', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.put(vpc('busy', [VPC_GUARD]));
  let tries = 0;
  kubernetes.between = ({ verb }, moment) => {
    if (verb === 'patch' && moment === 'before')
      kubernetes.put(vpc('busy', [VPC_GUARD], { labels: { touched: String((tries += 1)) } }));
  };
  expect(await freeVpcs(kubernetes, signal)).toEqual([
    { name: 'busy', left: expect.any(String) as unknown },
  ]);
  expect(tries).toBe(5);
  tries = 0;
  kubernetes.between = ({ verb }, moment) => {
    if (verb === 'patch' && moment === 'before') tries += 1;
  };
  kubernetes.forbidden.add('patch Vpc');
  await freeVpcs(kubernetes, signal);
  expect(tries).toBe(1);
});

test('one from which somebody else took ours meanwhile is free', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.put(vpc('a', [VPC_GUARD]));
  kubernetes.between = ({ verb }, moment) => {
    if (verb === 'patch' && moment === 'before') kubernetes.put(vpc('a', ['example.com/other']));
  };
  expect(await freeVpcs(kubernetes, signal)).toEqual([{ name: 'a' }]);
  expect(kubernetes.objects('Vpc')[0]?.metadata.finalizers).toEqual(['example.com/other']);
});
