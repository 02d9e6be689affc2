import { hash } from 'node:crypto';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import { Failure } from '@ovn-steward/shared/errors';
import { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Control } from '@ovn-steward/contracts/control/control';
import {
  Cause,
  Fact,
  FindingClass,
  Ownership,
  Severity,
} from '@ovn-steward/contracts/findings/finding';
import { Reference } from '@ovn-steward/contracts/identity/reference';
import { actionKey, findingId } from '@ovn-steward/contracts/identity/ids';
import { z } from 'zod';
import type { Proposal } from '../findings/proposal';

const Moment = z.iso.datetime();
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'not a sha256 in hex');

/** One thing a plan would have done, with all that a person needs to judge it. */
export const PlanEntry = z.strictObject({
  /** The idempotency key of the action. */
  id: Sha256,
  finding: Sha256,
  revision: z.number().int().positive(),
  rule: z.string().min(1),
  class: FindingClass,
  severity: Severity,
  /** Names an action of the executor. */
  action: z.string().min(1),
  target: Reference,
  subject: Reference,
  /** What shares the subject's fate. */
  concerns: z.array(Reference),
  scope: z.strictObject({ vpc: z.string().optional(), subnet: z.string().optional() }),
  /** What took it along, as its finding says; entries of an equal kind and key have one cause. */
  cause: Cause.optional(),
  what: z.string(),
  /** The proof in words, then as data. */
  why: z.array(z.string()),
  proof: z.array(Fact),
  owner: Ownership,
  advice: z.string(),
  /** What the action does, and what undoing it brings back and what not. */
  effect: z.string(),
  undo: z.string(),
  /** Of all that would be removed, as it was when the plan was made. */
  version: z.string().min(1),
  /** Before that moment nothing is done about it. */
  ripeAt: Moment,
});
export type PlanEntry = z.infer<typeof PlanEntry>;

/** What was examined and is not in the plan: how many for each reason, and some of them. */
const LeftOut = z.strictObject({
  reason: z.string(),
  count: z.number().int().positive(),
  findings: z.array(z.strictObject({ id: z.string(), what: z.string() })),
});
export type LeftOut = z.infer<typeof LeftOut>;

/**
 * What a person reads and signs off: which things are removed, in which order, and why. Bound to
 * one cluster and to the versions of the things.
 */
export const Plan = z.strictObject({
  version: z.literal(1),
  /** sha256 of the content: of everything but `id`, `digest` and `signedBy`. */
  id: Sha256,
  cluster: z
    .string()
    .min(1)
    .regex(/^[^/]+$/, 'not a cluster'),
  /** Which Northbound and which Kubernetes cluster. */
  identity: z.strictObject(ClusterIdentity.shape),
  /**
   * Something in it was proven by a person's statement that Kube-OVN was uninstalled from there
   * (`UNINSTALLED`): only an executor with that statement carries it out.
   */
  uninstalled: z.literal(true).optional(),
  createdAt: Moment,
  expiresAt: Moment,
  counts: z.array(z.strictObject({ rule: z.string(), count: z.number().int().positive() })),
  /** In the order in which they are done: leaves before roots. */
  entries: z.array(PlanEntry),
  leftOut: z.array(LeftOut),
  /** sha256 of everything but `digest` and `signedBy`. */
  digest: Sha256,
  /** Who signed it off, added by hand. */
  signedBy: z.string().min(1).optional(),
});
export type Plan = z.infer<typeof Plan>;

/** A plan before it has an id. */
export type PlanContent = Omit<Plan, 'id' | 'digest' | 'signedBy'>;

const sha256 = (value: unknown): string => hash('sha256', canonicalJson(value));

const without = (json: Readonly<Record<string, unknown>>, ...keys: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key)));

/** Gives a content its id and its digest. */
export function sealed({ version, ...content }: PlanContent): Plan {
  const plan = { version, id: sha256({ version, ...content }), ...content };
  return { ...plan, digest: sha256(plan) };
}

/**
 * The plan a document is. The digest is taken of the document as it came, so that nothing in it
 * escapes.
 * @throws Failure `plan-invalid` when it is no plan of version 1, `plan-altered` when it is not as
 *   it was made.
 */
export function planOf(json: unknown, where: string): Plan {
  const { success, data: plan, error } = Plan.safeParse(json);
  if (!success) {
    const [issue] = error.issues;
    throw new Failure(
      'plan-invalid',
      `${where} is no plan of version 1: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}. Make one with steward plan --out.`,
    );
  }
  const raw = json as Readonly<Record<string, unknown>>;
  if (
    plan.digest !== sha256(without(raw, 'digest', 'signedBy')) ||
    plan.id !== sha256(without(raw, 'id', 'digest', 'signedBy'))
  ) {
    throw new Failure(
      'plan-altered',
      `${where} is not as it was made: something in it was changed, added or taken out. Nothing was done. Plans are not edited: make another with steward plan, and narrow it with --rule, --subnet or --limit.`,
    );
  }
  const wrong = contradiction(plan);
  if (wrong !== undefined)
    throw new Failure(
      'plan-invalid',
      `${where} contradicts itself: ${wrong}. Make another with steward plan.`,
    );
  return plan;
}

/** The plan a decision carries, or why it is none. */
export function planOfControl({
  plan,
  cluster,
}: Extract<Control, { type: 'plan' }>): Plan | string {
  try {
    const read = planOf(plan, 'It');
    return read.cluster === cluster ? read : `the plan is for the cluster ${read.cluster}`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function contradiction({ cluster, entries, createdAt, expiresAt }: Plan): string | undefined {
  if (!(Date.parse(createdAt) < Date.parse(expiresAt))) return 'it expires before it was made';
  if (new Set(entries.map(({ id }) => id)).size !== entries.length)
    return 'one action is in it twice';
  const misnamed = entries.find(
    ({ id, finding, revision, rule, action, subject }) =>
      finding !== findingId(cluster, rule, subject) ||
      id !== actionKey(cluster, subject, action, finding, revision),
  );
  return misnamed === undefined
    ? undefined
    : `entry ${misnamed.id} does not have the id of what it is about`;
}

/** An entry as the finding it was made of, to be proven again. */
export function proposalOf({ cluster, createdAt }: Plan, entry: PlanEntry): Proposal {
  const {
    finding: id,
    rule,
    class: ofClass,
    severity,
    revision,
    subject,
    concerns,
    owner,
    scope,
    cause,
    what: summary,
    proof,
    action,
    target,
    advice,
  } = entry;
  return {
    id,
    cluster,
    rule,
    class: ofClass,
    severity,
    state: 'confirmed',
    revision,
    subject,
    concerns,
    owner,
    scope,
    ...(cause && { cause }),
    summary,
    proof,
    remedy: { action, target, advice },
    firstSeen: createdAt,
    lastSeen: createdAt,
    confirmedAt: createdAt,
    resolvedAt: null,
  };
}

/** Whether something may be done about it yet. */
export const isRipe = ({ ripeAt }: PlanEntry, now: Date): boolean =>
  Date.parse(ripeAt) <= now.getTime();

/** Whether the time is over in which it may be carried out; so it is when that cannot be read. */
export const hasExpired = ({ expiresAt }: Plan, now: Date): boolean =>
  !(now.getTime() < Date.parse(expiresAt));
