import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { kubernetesKind } from '@ovn-steward/shared/kinds';

const UNKNOWN = 'unknown';

/**
 * The VPC a finding lies in: what it says itself, else that of its subnet; `unknown` where neither
 * is said.
 */
export const vpcOfFinding = (
  { scope }: Finding,
  vpcOfSubnet: ReadonlyMap<string, string>,
): string => scope?.vpc ?? vpcOfSubnet.get(scope?.subnet ?? '') ?? UNKNOWN;

/**
 * The namespace of what a finding is about, else of what took it along; `unknown` where neither is
 * in one.
 */
export function namespaceOf({ subject, cause }: Finding): string {
  if (subject.namespace !== undefined && subject.namespace !== '') return subject.namespace;
  if (cause?.kind === 'Namespace') return cause.key;
  const slash = cause?.key.indexOf('/') ?? -1;
  return cause !== undefined && slash > 0 && kubernetesKind(cause.kind)?.namespaced === true
    ? cause.key.slice(0, slash)
    : UNKNOWN;
}
