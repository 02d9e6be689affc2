import { object } from '../testing/builders';
import { world } from '../testing/world-builder';
import type { Deletable } from '../kube-ovn/deletion';
import { withoutFinalizer } from './last-finalizer';

function adviceFor(finalizer: string, restart?: 'finishes' | 'fails'): string | undefined {
  const built = object('OvnEip', 'eip', {
    metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [finalizer] },
  });
  const [eip] = [...world(built).fold().entities('OvnEip')];
  return withoutFinalizer(eip as Deletable, [], 'so it is', restart)?.remedy.advice;
}

test('a restart comes first where the controller then finishes the deletion', () => {
  expect(adviceFor('kubeovn.io/kube-ovn-controller')).toBe(
    'restart the Kube-OVN controller, which then finishes the deletion; only if it does not, remove the finalizer kubeovn.io/kube-ovn-controller: so it is',
  );
});

test.each<[string, string, 'fails' | undefined]>([
  ['it was seen not to', 'kubeovn.io/kube-ovn-controller', 'fails'],
  ['no controller removes that finalizer', 'ovn.kubernetes.io/fip', undefined],
])('no restart is advised where %s', (_, finalizer, restart) => {
  expect(adviceFor(finalizer, restart)).toBe(
    `a restart of the Kube-OVN controller does not finish the deletion; remove the finalizer ${finalizer}: so it is`,
  );
});

test('nothing is offered for the finalizer of somebody else', () => {
  expect(adviceFor('example.org/keep')).toBeUndefined();
});
