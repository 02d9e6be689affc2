import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { action } from '../testing/actions';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { eventRecorder, REASONS } from './event-recorder';

const signal = new AbortController().signal;
const PAGE = readFileSync(join(__dirname, '../../../../docs/executor.md'), 'utf8');

/** A cluster with these objects, on which decisions are recorded by a clock of the test's. */
function cluster(...there: readonly (readonly [kind: string, name: string])[]) {
  const kubernetes = memoryKubernetes();
  for (const [kind, name] of there) kubernetes.put({ kind, metadata: { name } });
  let now = 0;
  const recorder = eventRecorder(kubernetes, signal, () => now);
  return {
    kubernetes,
    pass: (ms: number) => void (now += ms),
    /** Each Event as `Kind/name Reason`. */
    async recorded(...actions: readonly ActionRecord[]): Promise<string[]> {
      const before = kubernetes.events.length;
      for (const record of actions) {
        recorder.record(record);
        await recorder.idle();
      }
      return kubernetes.events
        .slice(before)
        .map(({ regarding, reason }) => `${regarding.kind}/${regarding.name} ${reason}`);
    },
  };
}
const SUBNET = ['Subnet', 'apps'] as const;
const VPC = ['Vpc', 'tenant'] as const;
const SYSTEM = ['Namespace', 'kube-system'] as const;
const row = (subnet: string | null, vpc: string | null, more: Partial<ActionRecord> = {}) =>
  action('p', { state: 'done', scope: { subnet, vpc }, ...more });

test.each<
  [
    title: string,
    there: readonly (readonly [string, string])[],
    decided: ActionRecord,
    events: string[],
  ]
>([
  [
    'a row of a subnet, on the Subnet',
    [SUBNET, VPC, SYSTEM],
    row('apps', 'tenant'),
    ['Subnet/apps Removed'],
  ],
  [
    'a row of a subnet that is gone, on its Vpc',
    [VPC, SYSTEM],
    row('apps', 'tenant'),
    ['Vpc/tenant Removed'],
  ],
  [
    'a row of a router, on the Vpc',
    [SUBNET, VPC, SYSTEM],
    row(null, 'tenant'),
    ['Vpc/tenant Removed'],
  ],
  [
    'a row of a Vpc that is gone, on what stands for the cluster',
    [SUBNET, SYSTEM],
    row(null, 'tenant'),
    ['Namespace/kube-system Removed'],
  ],
  [
    'a row that lies nowhere, on what stands for the cluster',
    [SUBNET, VPC, SYSTEM],
    row(null, null),
    ['Namespace/kube-system Removed'],
  ],
  [
    'an object, on itself',
    [SYSTEM],
    row('apps', 'tenant', {
      target: { source: 'kubernetes', kind: 'IP', name: 'a.shop', uid: 'u' },
      state: 'refused',
    }),
    ['IP/a.shop RemovalRefused'],
  ],
  ['what is only observed, not at all', [SYSTEM], row(null, null, { state: 'observed' }), []],
])('%s', async (_, there, decided, events) =>
  expect(await cluster(...there).recorded(decided)).toEqual(events),
);

test('where an object may not be read the next one is taken, and where none may, nothing is recorded', async () => {
  const { kubernetes, recorded: reported } = cluster(SUBNET, VPC, SYSTEM);
  kubernetes.forbidden.add('get Subnet');
  expect(await reported(row('apps', 'tenant'))).toEqual(['Vpc/tenant Removed']);
  for (const it of ['get Vpc', 'get Namespace']) kubernetes.forbidden.add(it);
  expect(await reported(row('apps', 'other'))).toEqual([]);
});

test('an object that is recreated gets Events as itself, within minutes', async () => {
  const { kubernetes, recorded: reported, pass } = cluster(SYSTEM);
  expect(await reported(row('apps', null))).toEqual(['Namespace/kube-system Removed']);
  const { uid } = kubernetes.put({ kind: 'Subnet', metadata: { name: 'apps' } }).metadata;
  expect(await reported(row('apps', null))).toEqual(['Subnet/apps Removed']);
  kubernetes.remove('Subnet', undefined, 'apps');
  kubernetes.put({ kind: 'Subnet', metadata: { name: 'apps', uid: 'another' } });
  pass(300_000);
  await reported(row('apps', null));
  expect([uid, kubernetes.events.at(-1)?.regarding.uid]).toEqual([
    expect.not.stringContaining('another'),
    'another',
  ]);
});

test('one object is not flooded by decisions about rows, others get Events meanwhile, and the next one says how many were left out', async () => {
  const { kubernetes, recorded: reported, pass } = cluster(SYSTEM, VPC);
  const many = Array.from({ length: 60 }, (_, nth) => row(null, null, { id: `action-${nth}` }));
  expect(await reported(...many)).toHaveLength(50);
  expect(await reported(row(null, 'tenant'))).toEqual(['Vpc/tenant Removed']);
  pass(10_000);
  expect(
    await reported(row(null, null, { id: 'next' }), row(null, null, { id: 'one-too-many' })),
  ).toHaveLength(1);
  expect(kubernetes.events.at(-1)?.note).toMatch(
    /action next\) 10 decisions before it are not shown here: steward actions has them\.$/,
  );
});

test('docs/executor.md has every reason, and no other of removals', () => {
  const named = [...PAGE.matchAll(/^\| `(Remov\w+)` \|/gm)].map(([, reason]) => reason!);
  expect(named.sort()).toEqual(Object.values(REASONS).sort());
});
