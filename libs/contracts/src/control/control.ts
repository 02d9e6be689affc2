import { z } from 'zod';
import { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { Selector, selectorKey } from '../identity/selector';

/** How somebody who decided over HTTP was proven to be who `user` says, and from where. */
export const Authenticated = z.object({
  user: z.string().min(1),
  /** `kubernetes`: by a TokenReview. `oidc`: by a signed token of the issuer. Open. */
  method: z.string().min(1),
  issuer: z.string().min(1).optional(),
  /** The address the request came from: of a proxy, where one stands before us. */
  from: z.string().min(1),
});
export type Authenticated = z.infer<typeof Authenticated>;

const common = {
  version: z.literal(1),
  /** Unique; the same sent twice is one. */
  id: z.string().min(1),
  cluster: z.string().min(1),
  /**
   * Which living systems it was decided about; missing where that was not known. Of others it
   * decides nothing.
   */
  identity: ClusterIdentity.optional(),
  /** Who decided, as they name themselves; of `heard` the executor. */
  by: z.string().min(1),
  /** Of what was decided over HTTP. `by` is this user or, where it is signed, who vouches for them. */
  authenticated: Authenticated.optional(),
  /** RFC 3339, UTC. */
  at: z.string(),
};

/**
 * What a hold or its end is about: all that is named must match; nothing named is the whole
 * cluster.
 */
export const Scope = z.object({
  rule: z.string().optional(),
  vpc: z.string().optional(),
  subnet: z.string().optional(),
});
export type Scope = z.infer<typeof Scope>;

/**
 * What a hold may let through by name, though it holds its scope: each of these puts something
 * right and removes nothing. Open on the wire.
 */
export const HOLD_EXCEPTIONS = ['undo', 'put-back', 'call-off'] as const;
export type HoldException = (typeof HOLD_EXCEPTIONS)[number];

/** What keeps things from being removed, and what ends it: each pair shares its keys. */
export const KEEPING = {
  hold: { begins: 'hold', ends: 'resume' },
  suppress: { begins: 'suppress', ends: 'unsuppress' },
  protect: { begins: 'protect', ends: 'unprotect' },
} as const;

/**
 * What keeps something, or the end of it, that an executor respects: what stands last under its key.
 */
export const EffectiveDecision = z.object({
  /** Its key without the cluster: `hold/<scope>`, `suppress/<selector>`, `protect/<selector>`. */
  about: z.string(),
  /** Of the decision. */
  id: z.string(),
  type: z.enum(['hold', 'resume', 'suppress', 'unsuppress', 'protect', 'unprotect']),
});
export type EffectiveDecision = z.infer<typeof EffectiveDecision>;

/**
 * What people decide: one record of `steward.control.v1`. hold: do nothing within the scope until a
 * resume of the same scope. approve: this finding, in this revision, may be acted on. plan: this
 * plan was read and is to be carried out. undo: put back what this action, or every action of this
 * plan, removed. withdraw: an approval, plan or undo that was not begun is not to be. adopt: the
 * cluster of this name is this pair of living systems from now on, such as one that was rebuilt.
 * heard: no decision, but an executor's word on which of them that keep something it respects, as of
 * `at`; its tombstone says that it follows no more. give-up: nobody brings this claim to its end
 * any more. suppress: what the selector names is known and not to be reported as open, nor acted
 * on, until then or an unsuppress of the same selector. protect: it is reported, and never acted
 * on, until then or an unprotect. Open union on the wire.
 */
export const Control = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hold'),
    ...common,
    scope: Scope,
    reason: z.string(),
    until: z.string().nullable(),
    /**
     * What the hold does not keep from being written: `undo`, `put-back`, `call-off`. Nothing by
     * default.
     */
    except: z.array(z.string()).optional(),
  }),

  z.object({ type: z.literal('resume'), ...common, scope: Scope }),
  z.object({
    type: z.literal('approve'),
    ...common,
    finding: z.string(),
    revision: z.number().int().positive(),
    /**
     * Whose word it is, where a rule wants several: the id of the key it is signed with, or without
     * keys the name in `by`. Each has a record of its own.
     */
    approver: z.string().min(1).optional(),
  }),
  z.object({
    type: z.literal('plan'),
    ...common,
    plan: z.record(z.string(), z.unknown()),
    overCeilings: z.boolean(),
  }),
  z.object({ type: z.literal('undo'), ...common, of: z.string() }),
  z.object({ type: z.literal('withdraw'), ...common, of: z.string() }),
  z.object({
    type: z.literal('adopt'),
    ...common,
    to: ClusterIdentity,
    /**
     * Whether actions that do not say of which living systems they are count as of these: earlier
     * versions did not say it.
     */
    unnamed: z.boolean(),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('heard'),
    ...common,
    /**
     * When `by` began to follow decisions, RFC 3339, UTC; later than of all that it knew of. Who
     * began last acts.
     */
    since: z.string(),
    /** All holds that stand, and the resumes of late. */
    decisions: z.array(EffectiveDecision),
  }),
  z.object({
    type: z.literal('give-up'),
    ...common,
    /** The id of an action that is under way. */
    of: z.string().min(1),
    /** Of its record: which claim is meant, since a thing may be claimed again. */
    claimedAt: z.string(),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('suppress'),
    ...common,
    selector: Selector,
    reason: z.string(),
    until: z.string().nullable(),
  }),
  z.object({ type: z.literal('unsuppress'), ...common, selector: Selector }),
  z.object({
    type: z.literal('protect'),
    ...common,
    selector: Selector,
    reason: z.string(),
    until: z.string().nullable(),
  }),
  z.object({ type: z.literal('unprotect'), ...common, selector: Selector }),
]);
export type Control = z.infer<typeof Control>;

const scopeText = ({ rule = '*', vpc = '*', subnet = '*' }: Scope): string =>
  JSON.stringify([rule, vpc, subnet]);

/**
 * The record's key, `<cluster>/<what it decides about>`: a later decision about the same replaces
 * an earlier one.
 */
export function controlKey(control: Control): string {
  const { cluster } = control;
  switch (control.type) {
    case 'hold':
    case 'resume':
      return `${cluster}/hold/${scopeText(control.scope)}`;
    case 'approve':
      return `${cluster}/approve/${control.finding}${control.approver === undefined ? '' : `/${control.approver}`}`;
    case 'plan':
      return `${cluster}/plan/${String(control.plan['id'])}`;
    case 'undo':
      return `${cluster}/undo/${control.of}`;
    case 'withdraw':
      return `${cluster}/${control.of}`;
    case 'adopt':
      return `${cluster}/adopt/identity`;
    case 'heard':
      return `${cluster}/heard/${control.by}`;
    case 'give-up':
      return `${cluster}/give-up/${control.of}`;
    case 'suppress':
    case 'unsuppress':
      return `${cluster}/suppress/${selectorKey(control.selector)}`;
    case 'protect':
    case 'unprotect':
      return `${cluster}/protect/${selectorKey(control.selector)}`;
  }
}
