import { z } from 'zod';
import { Reference } from '../identity/reference';
import { Selector } from '../identity/selector';

/**
 * What sort of wrong a finding is; it sets the grace before a suspicion is confirmed. Open enum on
 * the wire.
 */
export const FindingClass = z.enum([
  'garbage',
  'leak',
  'drift',
  'stuck',
  'misplaced',
  'missing',
  'damage',
]);
export type FindingClass = z.infer<typeof FindingClass>;

export const Severity = z.enum(['info', 'warning', 'critical']);
export type Severity = z.infer<typeof Severity>;

/**
 * suspected: seen, not yet long or often enough. confirmed: still true at a later watermark of
 * every source and after its grace. suppressed: there, and a person or a setting says that it is
 * known: not reported as open, and never acted on.
 */
export const FindingState = z.enum(['suspected', 'confirmed', 'resolved', 'suppressed']);
export type FindingState = z.infer<typeof FindingState>;

/**
 * One fact that makes a finding true, as data, so that an executor can prove it again on the live
 * system.
 *
 * `absent`: no object of that kind has that key (`namespace/name` or name), and the kind was listed
 * completely. `present`: such an object exists. `unchanged`: the thing is still this incarnation,
 * and says what it said (`digest`: the content hash of its trimmed form). `value`: a column or
 * field holds this value. `unreferenced`: nothing refers to the row. `unclaimed`: no object of that
 * kind holds this value in that field, and the kind was listed completely.
 */
export const Fact = z.discriminatedUnion('fact', [
  z.object({ fact: z.literal('absent'), source: z.string(), kind: z.string(), key: z.string() }),
  z.object({ fact: z.literal('present'), subject: Reference }),
  z.object({ fact: z.literal('unchanged'), subject: Reference, digest: z.string().optional() }),
  z.object({ fact: z.literal('value'), subject: Reference, path: z.string(), value: z.string() }),
  z.object({ fact: z.literal('unreferenced'), subject: Reference }),
  z.object({
    fact: z.literal('unclaimed'),
    source: z.string(),
    kind: z.string(),
    path: z.string(),
    value: z.string(),
  }),
]);
export type Fact = z.infer<typeof Fact>;

/** Who owns the subject, and why we say so. */
export const Ownership = z.object({
  /**
   * `kube-ovn`, `neutron`, `octavia`, …, `shared`, `unknown`; `kubernetes` for objects that are not
   * OVN rows.
   */
  owner: z.string(),
  /**
   * protect: never touched. detach-only: our reference may be removed from it. candidate: may enter
   * the garbage rules.
   */
  verdict: z.enum(['protect', 'detach-only', 'candidate']),
  /** 3 certain, 2 strong, 1 weak, 0 none. */
  confidence: z.number().int().min(0).max(3),
  evidence: z.array(z.string()),
});
export type Ownership = z.infer<typeof Ownership>;

/** The remedy, for a person and for the executor; never carried out by the analyzer. */
export const Remedy = z.object({
  /** Names an action of the executor. */
  action: z.string(),
  target: Reference,
  /** One sentence: what to do, and what doing it brings about. */
  advice: z.string(),
});
export type Remedy = z.infer<typeof Remedy>;

/** Something that was seen to happen, in the order of time. */
export const CauseMoment = z.object({
  /** When the collector learned of it, RFC 3339. */
  at: z.string(),
  /** One clause, with the kind and key of the object. */
  what: z.string(),
  /** The change that shows it, as `<stream>/<epoch>/<seq>` of `steward.changes.v1`. */
  change: z.string(),
});
export type CauseMoment = z.infer<typeof CauseMoment>;

/**
 * What took along what a finding is about: findings of an equal `kind` and `key` have one cause.
 */
export const Cause = z.object({
  /** The Kubernetes kind of what no longer exists. */
  kind: z.string(),
  /** `namespace/name`, or a name. */
  key: z.string(),
  /** One sentence without its full stop. */
  text: z.string(),
  /**
   * How it went, oldest first, as far as it was seen: what was deleted before, and when no
   * controller of Kube-OVN led. Absent where no change showed it.
   */
  moments: z.array(CauseMoment).optional(),
});
export type Cause = z.infer<typeof Cause>;

/**
 * What a row held before it was damaged, and who referred to it: what is needed to put it back
 * (`steward restore`).
 */
export const FormerContent = z.object({
  table: z.string().min(1),
  uid: z.string().min(1),
  /** As in `Ownership`. */
  owner: z.string(),
  /** The row was deleted; otherwise it exists and holds something else now. */
  gone: z.boolean(),
  /**
   * Its columns as in `steward.changes.v1`: those at their default are left out, `_parents` and
   * `_port_groups` name who referred to it.
   */
  row: z.record(z.string(), z.unknown()),
  /** Other rows that lost a reference to it, where that is not in `row`. */
  referrers: z.array(z.object({ table: z.string(), uid: z.string(), column: z.string() })),
});
export type FormerContent = z.infer<typeof FormerContent>;
/** Why a finding is suppressed. */
export const Suppression = z.object({
  /** What it would be: `suspected` or `confirmed`. */
  state: z.enum(['suspected', 'confirmed']),
  reason: z.string(),
  /** Who decided; `settings` for what a switch there suppresses. */
  by: z.string(),
  /** When it was decided, RFC 3339; null for settings. */
  since: z.string().nullable(),
  /** When it ends by itself, RFC 3339; null: until somebody ends it. */
  until: z.string().nullable(),
  /** What was suppressed, of which this is one. */
  selector: Selector,
});
export type Suppression = z.infer<typeof Suppression>;

export const Finding = z.object({
  /**
   * sha256 of cluster, rule and the subject's incarnation, hex: the same problem on the same
   * incarnation always keeps its id.
   */
  id: z.string(),
  cluster: z.string(),
  rule: z.string(),
  class: FindingClass,
  severity: Severity,
  state: FindingState,
  /** Only where `state` is `suppressed`. */
  suppressed: Suppression.optional(),
  /** Grows by one whenever the finding's content or state changes. */
  revision: z.number().int().positive(),
  subject: Reference,
  /** What shares the subject's fate, such as the ACLs of an orphaned port group. */
  concerns: z.array(Reference),
  owner: Ownership,
  /** The subnet and VPC it lies in, as far as the subject itself says. */
  scope: z.object({ vpc: z.string().optional(), subnet: z.string().optional() }).optional(),
  /** Of garbage and leaks whose owner was deleted. Findings of before it was added have none. */
  cause: Cause.optional(),
  /** One sentence for a tired person. */
  summary: z.string(),
  proof: z.array(Fact),
  remedy: Remedy.nullable(),
  /**
   * Why it is uncertain for now, though nothing disproves it: then nobody acts on it, and `remedy`
   * is null. Absent otherwise.
   */
  doubt: z.string().optional(),
  /**
   * Of damage done to rows of others, as they were. Absent from findings of before it was added.
   */
  was: z.array(FormerContent).optional(),
  /** RFC 3339, UTC, on the sources' clock (watermarks), not on the analyzer's. */
  firstSeen: z.string(),
  lastSeen: z.string(),
  confirmedAt: z.string().nullable(),
  resolvedAt: z.string().nullable(),
});
export type Finding = z.infer<typeof Finding>;

/** Something a rule could not judge, and why. `subject` is null when the whole rule is withheld. */
export const Unknown = z.object({
  rule: z.string(),
  subject: Reference.nullable(),
  reason: z.string(),
});
export type Unknown = z.infer<typeof Unknown>;
