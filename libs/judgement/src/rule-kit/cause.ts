import type { Cause, Fact } from '@ovn-steward/contracts/findings/finding';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { View } from './view';

/**
 * What took along the subject of a finding, by its proof: the first Kubernetes object that the
 * proof calls absent, which rules name owner first. Where its Namespace is absent as well, it is
 * the Namespace: all that was in it was deleted with it. Undefined where the proof calls nothing
 * absent.
 */
export function causeOf(
  proof: readonly Fact[],
  view: Pick<View, 'isNamespaceGone'>,
): Cause | undefined {
  const owner = proof.find((fact) => fact.fact === 'absent' && fact.source === 'kubernetes');
  if (owner?.fact !== 'absent') return undefined;
  const { kind, key } = owner;
  const namespace = kubernetesKind(kind)?.namespaced ? key.slice(0, key.indexOf('/')) : '';
  return namespace !== '' && view.isNamespaceGone(namespace)
    ? gone('Namespace', namespace)
    : gone(kind, key);
}

const gone = (kind: string, key: string): Cause => ({
  kind,
  key,
  text: `${kind} ${key} no longer exists`,
});
