import type { PolicyOwnerKind, PolicyReading } from '../kube-ovn/policy-readings';
import type { Presence, View } from './view';

/** Whether a reading's objects all exist: absent as soon as one of them is. */
export function presenceOf(reading: PolicyReading, view: View<PolicyOwnerKind>): Presence {
  const each = reading.map((it) => view.presence(it.kind, it.key));
  if (each.includes('absent')) return 'absent';
  return each.includes('unknown') ? 'unknown' : 'present';
}

/** One object proven absent for each reading, which is what it takes to rule them all out. */
export function absentOwners(
  readings: readonly PolicyReading[],
  view: View<PolicyOwnerKind>,
): PolicyReading {
  const each = readings.flatMap(
    (reading) => reading.find((it) => view.presence(it.kind, it.key) === 'absent') ?? [],
  );
  return each.filter(
    (it, i) => each.findIndex((other) => other.kind === it.kind && other.key === it.key) === i,
  );
}
