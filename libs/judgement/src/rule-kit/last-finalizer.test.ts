import type { Deletable } from '../kube-ovn/deletion';
import { object } from '../testing/builders';
import { world } from '../testing/world-builder';
import { CONTROLLER_KINDS } from './controller';
import { withoutFinalizer } from './last-finalizer';
import { KindBits } from './declared-kinds';
import { View } from './view';

const FINALIZER = 'kubeovn.io/kube-ovn-controller';
const FORMER = 'kube-ovn-controller';

interface Stuck {
  readonly kind?: 'OvnEip' | 'Vip' | 'IP' | 'Subnet';
  readonly finalizer?: string;
  readonly release?: string;
  readonly isTaken?: boolean;
  readonly name?: string;
}

function advised({
  kind = 'OvnEip',
  finalizer = FINALIZER,
  release,
  isTaken,
  name = 'web',
}: Stuck) {
  const built = object(kind, name, {
    metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [finalizer] },
  });
  const controller = object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { release } } },
  });
  const folded = world(built, controller).fold();
  const [entity] = [...folded.entities(kind)];
  const view = new View(folded, new KindBits(CONTROLLER_KINDS));
  return withoutFinalizer(entity as Deletable, view, [], 'so it is', isTaken)?.remedy.advice;
}

test('a restart comes first where the controller then finishes the deletion', () => {
  expect(advised({ kind: 'Subnet' })).toBe(
    'restart the Kube-OVN controller, which then finishes the deletion; only if it does not, remove the finalizer kubeovn.io/kube-ovn-controller: so it is',
  );
});

test.each<[Stuck, string]>([
  [{}, '; before v1.17 a restart does not help'],
  [{ release: 'v1.16.2' }, '; a restart does not help'],
  [{ release: 'v1.17.0' }, ''],
])('a change comes first where a start may not take the deletion up: %p', (stuck, hint) => {
  expect(advised(stuck)).toBe(
    `change the object while the Kube-OVN controller runs (kubectl annotate --overwrite ovn-eips.kubeovn.io web retried-at=$(date +%s)${hint}), which then finishes the deletion; only if it does not, remove the finalizer kubeovn.io/kube-ovn-controller: so it is`,
  );
});

test.each<[Stuck, RegExp]>([
  [{ release: 'v1.13.0' }, /^restart the Kube-OVN controller, which then/],
  [{ release: 'v1.12.35' }, /^change the object .*; a restart does not help\), which then/],
  [
    {},
    /^restart the Kube-OVN controller \(before v1\.13 change the object while it runs: kubectl .*\), which then/,
  ],
])('the finalizer of before v1.13 is for a start of the later releases: %p', (stuck, expected) => {
  expect(advised({ ...stuck, finalizer: FORMER })).toMatch(expected);
});

test('a name that is none of Kubernetes’ is in no line for a shell', () => {
  expect(advised({ name: 'a;b' })).toContain(
    'while the Kube-OVN controller runs (before v1.17 a restart does not help), which',
  );
  expect(advised({ name: 'a;b', release: 'v1.17.0' })).toContain('controller runs, which');
});

test.each<[string, Stuck]>([
  ['it was seen not to', { isTaken: false }],
  ['no controller removes that finalizer', { finalizer: 'ovn.kubernetes.io/fip' }],
  ['the release does not know that finalizer', { kind: 'IP', release: 'v1.12.35' }],
])('neither is advised where %s', (_, stuck) => {
  expect(advised(stuck)).toBe(
    `a restart of the Kube-OVN controller does not finish the deletion; remove the finalizer ${stuck.finalizer ?? FINALIZER}: so it is`,
  );
});

test('nothing is offered for the finalizer of somebody else', () => {
  expect(advised({ finalizer: 'example.org/keep' })).toBeUndefined();
});
