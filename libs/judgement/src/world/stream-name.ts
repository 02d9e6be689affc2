import { kubernetesKind, kubernetesStream } from '@ovn-steward/shared/kinds';
import { SOUTHBOUND, SOUTHBOUND_KINDS } from './southbound-kinds';

export const NORTHBOUND = 'ovn-nb';

/**
 * The stream a kind travels in: its own for a Kubernetes kind, the database's for a Northbound
 * table.
 */
export const streamNameOf = (kind: string): string => {
  if (kubernetesKind(kind)) return kubernetesStream(kind);
  if (kind === 'Former_Address') return kubernetesStream('IP');
  return SOUTHBOUND_KINDS.has(kind) ? SOUTHBOUND : NORTHBOUND;
};
