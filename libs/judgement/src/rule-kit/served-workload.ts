import { pairOf } from '../ownership/grammar/names';
import { podsByMachine } from '../relations/pods-by-machine';
import { type ClaimantKind, claimsOf, workloadClaimants } from './claimants';
import type { Entity } from '../world/entity';
import type { View } from './view';

/**
 * The workload that the port's `pod` key names, as `Kind key`, while it exists or cannot be ruled
 * out; undefined when it is proven absent, or the port names none.
 */
export function servedWorkload(
  { object: { external_ids: ids = {} } }: Entity<'Logical_Switch_Port'>,
  view: View<ClaimantKind>,
): string | undefined {
  const pod = Object.hasOwn(ids, 'pod') ? ids['pod']! : '';
  const parts = pairOf(pod);
  if (!parts) return undefined;
  const { by, unknown } = claimsOf(workloadClaimants(...parts), view);
  if (by) return `${by.kind} ${by.key}`;
  return unknown[0] ?? (view.has(podsByMachine, pod) ? `a launcher of ${pod}` : undefined);
}
