import type { Finding } from '@ovn-steward/contracts/findings/finding';

/** What a rule says now about one finding, everything but its history. */
export type Claim = Omit<
  Finding,
  'state' | 'revision' | 'firstSeen' | 'lastSeen' | 'confirmedAt' | 'resolvedAt'
>;

/**
 * The states of a finding, as functions without a clock or memory of their own:
 *
 *   (nothing) ──► suspected ── at a later watermark, after its grace ──► confirmed
 *                   ▲   │                                                  │
 *        seen again │   │ no longer true                    no longer true │
 *                   │   ▼                                                  │
 *                  resolved ◄──────────────────────────────────────────────┘
 *
 * Times are the sources', never ours: `now` is when the last change was observed, `watermark` is up
 * to when every source the rule read has reported all it knows. What a rule cannot judge any more
 * is neither confirmed nor resolved.
 */
export function seen(before: Finding | undefined, claim: Claim, now: string): Finding {
  if (!before || before.state === 'resolved') {
    return {
      ...claim,
      state: 'suspected',
      revision: (before?.revision ?? 0) + 1,
      firstSeen: now,
      lastSeen: now,
      confirmedAt: null,
      resolvedAt: null,
    };
  }
  if (before.doubt === undefined && sameClaim(before, claim)) return before;
  const { state, firstSeen, confirmedAt, resolvedAt } = before;
  return {
    ...claim,
    state,
    revision: before.revision + 1,
    firstSeen,
    lastSeen: now,
    confirmedAt,
    resolvedAt,
  };
}

/**
 * Confirms a suspicion whose grace has passed on every source's clock; otherwise the finding as it
 * was.
 */
export function ripened(finding: Finding, watermark: string, graceMs: number): Finding {
  if (finding.state !== 'suspected' || watermark === '') return finding;
  const since = Date.parse(finding.firstSeen);
  const through = Date.parse(watermark);
  if (!(through > since && through >= since + graceMs)) return finding;
  return {
    ...finding,
    state: 'confirmed',
    revision: finding.revision + 1,
    lastSeen: watermark,
    confirmedAt: watermark,
  };
}

/** It is no longer true. `now` on the sources' clock, RFC 3339. */
export function asResolved(before: Finding, now: string): Finding {
  if (before.state === 'resolved') return before;
  const { doubt: _, ...undoubted } = before;
  return { ...undoubted, state: 'resolved', revision: before.revision + 1, resolvedAt: now };
}

/**
 * Something else makes it uncertain: it stays as it is, and has no remedy until it is certain
 * again.
 */
export function keptInDoubt(before: Finding, doubt: string, now: string): Finding {
  if (before.state === 'resolved' || (before.doubt === doubt && before.remedy === null))
    return before;
  return { ...before, doubt, remedy: null, lastSeen: now, revision: before.revision + 1 };
}

/**
 * A suspicion that could not be judged for a while starts its grace again: it was not observed
 * meanwhile.
 */
export function withNewGrace(before: Finding, now: string): Finding {
  return before.state === 'suspected'
    ? { ...before, firstSeen: now, revision: before.revision + 1 }
    : before;
}

const claimOf = ({
  state,
  revision,
  firstSeen,
  lastSeen,
  confirmedAt,
  resolvedAt,
  ...claim
}: Finding): Claim => claim;

/** In whatever order its members stand: a finding may have been read from a checkpoint. */
function sameClaim(finding: Finding, claim: Claim): boolean {
  const before = claimOf(finding);
  return (
    Object.keys(before).every((name) => Object.hasOwn(claim, name)) &&
    JSON.stringify(before) === JSON.stringify({ ...before, ...claim })
  );
}
