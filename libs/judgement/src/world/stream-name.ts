import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import { SOUTHBOUND, SOUTHBOUND_KINDS } from './southbound-kinds';

export const NORTHBOUND = 'ovn-nb';

/** Kept, since it is read with each check of each change. */
const OF_KIND: ReadonlyMap<string, string> = new Map([
  ...KUBERNETES_KINDS.map(({ kind }) => [kind, kubernetesStream(kind)] as const),
  ['Former_Address', kubernetesStream('IP')] as const,
  ...[...SOUTHBOUND_KINDS].map((kind) => [kind, SOUTHBOUND] as const),
]);

/**
 * The stream a kind travels in: its own for a Kubernetes kind, the database's for a table of OVN.
 */
export const streamNameOf = (kind: string): string => OF_KIND.get(kind) ?? NORTHBOUND;
