import { operation } from '@ovn-steward/ovsdb';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { uninstalledText } from '@ovn-steward/shared/settings/uninstalled';
import type { Systems } from '@ovn-steward/systems/systems';
import { identityOf } from '../testing/identities';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { KUBE_OVN, recordedEngine, withoutLeakedRecords } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { remediable } from './prover.contract';
import { type Prover } from './prover';
import { recordedProver } from '../testing/recorded-prover';

const never = new AbortController().signal;
const RUNS = ['Deployment', 'ReplicaSet', 'StatefulSet', 'Pod'];
const NETWORKS = ['Subnet', 'Vpc'];

let recorded: Awaited<ReturnType<typeof withoutLeakedRecords>>;
let findings: readonly Finding[];
let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let said: string;

beforeAll(async () => {
  recorded = await withoutLeakedRecords('leaky');
  findings = remediable(await recordedEngine('leaky', recorded)).filter(
    (it) => it.rule === 'orphaned-logical-switch-port',
  );
});
/** The recorded cluster after an uninstall of which nothing shows any more whose network it was. */
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  for (const object of kubernetes.objects('IP'))
    if (!recorded(object as unknown as Parameters<typeof recorded>[0]))
      kubernetes.remove('IP', undefined, object.metadata.name);
  for (const kind of RUNS)
    for (const { metadata } of kubernetes.objects(kind))
      kubernetes.remove(kind, metadata.namespace, metadata.name);
  for (const kind of NETWORKS)
    for (const object of kubernetes.objects(kind))
      kubernetes.put({
        ...object,
        kind,
        metadata: {
          ...object.metadata,
          finalizers: ['kubeovn.io/kube-ovn-controller'],
          deletionTimestamp: '2026-01-01T00:00:00Z',
        },
      });
  for (const { metadata } of kubernetes.objects('Lease'))
    if (metadata.name === KUBE_OVN.lease)
      kubernetes.remove('Lease', metadata.namespace, metadata.name);
  for (const it of kubernetes.objects('Node'))
    kubernetes.put({ ...it, kind: 'Node', metadata: { ...it.metadata, annotations: {} } });
  northbound.database.transact([operation.update('Logical_Switch_Port', [], { up: false })]);
  said = uninstalledText(await identityOf({ northbound, kubernetes }));
});

const proverWith = (
  uninstalled: readonly string[],
  systems: Systems = { northbound, kubernetes },
) => recordedProver(systems, { uninstalled, pause: async () => undefined });
const first = (prover: Prover) => prover.prove(findings[0]!, never);

test('nobody said it: nothing is proven', async () =>
  expect(await first(proverWith([]))).toMatchObject({
    is: 'unknown',
    reason: expect.stringContaining('nothing shows'),
  }));

test('said of these systems, it is proven, and the proof says on what it rests', async () => {
  expect(await first(proverWith(['nb:another/uid', said]))).toMatchObject({
    is: 'proven',
    bySaying: true,
  });
});

test('said of other systems: nothing is proven, and both pairs are named', async () => {
  const other = said.replace(/.$/, (it) => (it === '0' ? '1' : '0'));
  const proof = await first(proverWith([other]));
  expect(proof).toMatchObject({ is: 'unknown' });
  expect(JSON.stringify(proof)).toContain(`was said of ${other}, and this is ${said}`);
});

const pod = (name: string, annotations: Record<string, string> = {}) => ({
  kind: 'Pod',
  metadata: { name, namespace: 'kube-system', annotations },
  spec: { containers: [] },
  status: { phase: 'Running' },
});
const signs: readonly (readonly [string, () => void, RegExp])[] = [
  [
    'somebody holds the Lease, wherever he runs',
    () =>
      void kubernetes.put({
        kind: 'Lease',
        metadata: { name: KUBE_OVN.lease, namespace: KUBE_OVN.namespace },
        spec: { holderIdentity: 'x', renewTime: new Date().toISOString() },
      }),
    /holds Lease/,
  ],
  ['a controller runs', () => void kubernetes.put(pod('kube-ovn-controller-0')), /runs there/],
  [
    'a pod that it addressed lives',
    () =>
      void kubernetes.put(
        pod('web-0', {
          'ovn.kubernetes.io/allocated': 'true',
          'ovn.kubernetes.io/logical_switch': 'apps',
        }),
      ),
    /pods live there/,
  ],
  [
    'a chassis holds a port of its up',
    () =>
      void northbound.database.transact([
        operation.update('Logical_Switch_Port', [['name', '==', findings[1]!.subject.name]], {
          up: true,
        }),
      ]),
    /ports of Kube-OVN up|another one/,
  ],
  [
    'a Subnet is not being deleted',
    () => void kubernetes.put({ kind: 'Subnet', metadata: { name: 'living' }, spec: {} }),
    /Subnet living is there/,
  ],
  [
    'its Subnets may not be read',
    () => void kubernetes.forbidden.add('list Subnet'),
    /forbidden|Subnet/,
  ],
];

test.each(signs)('it is refused where %s', async (_, live, says) => {
  live();
  const proof = await first(proverWith([said]));
  expect(proof.is).not.toBe('proven');
  expect(JSON.stringify(proof)).toMatch(says);
});

test.each(signs)('at the last check it is asked again: %s', async (_, live, says) => {
  const proof = await first(proverWith([said]));
  if (proof.is !== 'proven') throw new Error(JSON.stringify(proof));
  expect(await proverWith([said]).recheck(proof, never)).toBeUndefined();
  live();
  const doubt = await proverWith([said]).recheck(proof, never);
  expect(doubt?.reason).toMatch(says);
});

test('who was not given it does not go on with what another proved', async () => {
  const proof = await first(proverWith([said]));
  if (proof.is !== 'proven') throw new Error(JSON.stringify(proof));
  expect(await proverWith([]).recheck(proof, never)).toMatchObject({ is: 'unknown' });
});

test('a row of somebody else’s is not proven garbage by it', async () => {
  northbound.database.transact([
    operation.update('Logical_Switch_Port', [['name', '==', findings[0]!.subject.name]], {
      external_ids: operation.map([['neutron:port_name', 'vm']]),
    }),
  ]);
  expect((await first(proverWith([said]))).is).not.toBe('proven');
});
