import { object } from '../testing/builders';
import { world } from '../testing/world-builder';
import type { Deletable } from '../kube-ovn/deletion';
import { withoutFinalizer } from './last-finalizer';

const FINALIZER = 'kubeovn.io/kube-ovn-controller';

function adviceFor(
  kind: 'OvnEip' | 'Vip',
  finalizer: string,
  isTaken?: boolean,
  name = 'web',
): string | undefined {
  const built = object(kind, name, {
    metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [finalizer] },
  });
  const [entity] = [...world(built).fold().entities(kind)];
  return withoutFinalizer(entity as Deletable, [], 'so it is', isTaken)?.remedy.advice;
}

test('a restart comes first where the controller then finishes the deletion', () => {
  expect(adviceFor('Vip', FINALIZER)).toBe(
    'restart the Kube-OVN controller, which then finishes the deletion; only if it does not, remove the finalizer kubeovn.io/kube-ovn-controller: so it is',
  );
});

test('a change comes first where a start does not take the deletion up', () => {
  expect(adviceFor('OvnEip', FINALIZER)).toBe(
    'change the object while the Kube-OVN controller runs (kubectl annotate --overwrite ovn-eips.kubeovn.io web retried-at=$(date +%s); before v1.17 a restart does not help), which then finishes the deletion; only if it does not, remove the finalizer kubeovn.io/kube-ovn-controller: so it is',
  );
});

test('a restart comes first of the finalizer that every start takes off', () => {
  expect(adviceFor('OvnEip', 'kube-ovn-controller')).toMatch(
    /^restart the Kube-OVN controller, which .* remove the finalizer kube-ovn-controller: so it is$/,
  );
});

test('a name that is none of Kubernetes’ is in no line for a shell', () => {
  expect(adviceFor('OvnEip', FINALIZER, true, 'a;b')).toContain(
    'while the Kube-OVN controller runs (before v1.17 a restart does not help), which',
  );
});

test.each<[string, string, boolean]>([
  ['it was seen not to', FINALIZER, false],
  ['no controller removes that finalizer', 'ovn.kubernetes.io/fip', true],
])('neither is advised where %s', (_, finalizer, isTaken) => {
  expect(adviceFor('OvnEip', finalizer, isTaken)).toBe(
    `a restart of the Kube-OVN controller does not finish the deletion; remove the finalizer ${finalizer}: so it is`,
  );
});

test('nothing is offered for the finalizer of somebody else', () => {
  expect(adviceFor('OvnEip', 'example.org/keep')).toBeUndefined();
});
