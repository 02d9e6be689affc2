import type { AuditDocument } from '@ovn-steward/contracts/audit';
import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import { isDeepStrictEqual } from 'node:util';

/** What of a finding counts as a change; its times and revision move by themselves. */
const COMPARED = [
  'class',
  'severity',
  'state',
  'summary',
  'scope',
  'cause',
  'owner',
  'concerns',
  'proof',
  'remedy',
] as const satisfies readonly (keyof Finding)[];

/** One side of a comparison. */
export interface Compared {
  readonly asOf: string;
  readonly findings: number;
}

/** What `steward diff` reports, by the ids of findings. */
export interface AuditDifference {
  readonly version: 1;
  readonly cluster: string;
  readonly before: Compared;
  readonly after: Compared;
  /** `couldNotBeJudged`: it may have been there before, when it could not be known. */
  readonly new: readonly { readonly finding: Finding; readonly couldNotBeJudged: boolean }[];
  /** Not found any more, though it could be judged. */
  readonly resolved: readonly Finding[];
  /** Not found any more, and its rule or subject could not be judged: it may still be there. */
  readonly notJudged: readonly { readonly finding: Finding; readonly reason: string }[];
  readonly changed: readonly {
    readonly fields: readonly string[];
    readonly before: Finding;
    readonly after: Finding;
  }[];
  readonly unchanged: number;
}

/** Compares two audits of one cluster, in one pass through each. */
export function compareAudits(before: AuditDocument, after: AuditDocument): AuditDifference {
  const earlier = openById(before);
  const later = openById(after);
  const wasDoubted = doubts(before.unknowns);
  const isDoubted = doubts(after.unknowns);
  const known = [...later.values()].filter((it) => earlier.has(it.id));
  const changed = known.flatMap((it) => changeOf(earlier.get(it.id)!, it));
  const missing = [...earlier.values()].filter((it) => !later.has(it.id));
  return {
    version: 1,
    cluster: after.cluster,
    before: { asOf: before.asOf, findings: earlier.size },
    after: { asOf: after.asOf, findings: later.size },
    new: [...later.values()]
      .filter((it) => !earlier.has(it.id))
      .map((it) => ({ finding: it, couldNotBeJudged: wasDoubted(it) !== undefined })),
    resolved: missing.filter((it) => isDoubted(it) === undefined),
    notJudged: missing.flatMap((finding) => {
      const reason = isDoubted(finding);
      return reason === undefined ? [] : [{ finding, reason }];
    }),
    changed,
    unchanged: known.length - changed.length,
  };
}

const openById = ({ findings }: AuditDocument): ReadonlyMap<string, Finding> =>
  new Map(findings.filter((it) => it.state !== 'resolved').map((it) => [it.id, it]));

/** Why the rule of a finding could not judge it, where an audit says so. */
function doubts(unknowns: readonly Unknown[]): (finding: Finding) => string | undefined {
  const reasons = new Map(
    unknowns.map((it) => [JSON.stringify([it.rule, it.subject?.uid ?? null]), it.reason]),
  );
  return ({ rule, subject }) =>
    reasons.get(JSON.stringify([rule, null])) ?? reasons.get(JSON.stringify([rule, subject.uid]));
}

function changeOf(before: Finding, after: Finding): AuditDifference['changed'] {
  const fields = COMPARED.filter((it) => !isDeepStrictEqual(before[it], after[it]));
  return fields.length === 0 ? [] : [{ fields, before, after }];
}
