import type { Freeze } from '@ovn-steward/shared/settings/freeze';

/**
 * When the freeze that holds now is over, others that go on from there counted in; undefined when
 * none holds.
 */
export function frozenUntil(freezes: readonly Freeze[], now: number): number | undefined {
  let until = now;
  for (let moved = true; moved;) {
    const last = Math.max(
      until,
      ...freezes.filter(({ from, to }) => from <= until && until < to).map(({ to }) => to),
    );
    moved = last > until;
    until = last;
  }
  return until > now ? until : undefined;
}
