import { Mode } from '@ovn-steward/shared/mode';
import { z } from 'zod';
import { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { Fact, Ownership } from '../findings/finding';
import { Foundations } from './foundations';
import { Reference } from '../identity/reference';
import { Undo } from './undo';
import { Unsettled } from './unsettled';

/**
 * What became of one finding in one revision. observed: the rule's mode is observe. proposed: waits
 * for a person. deferred: may be done, but not now. claimed: about to be done; what is needed to
 * undo it is stored. terminating: Kubernetes took the deletion, and the object waits for its
 * finalizers. done, failed, refused: ended. undone: put back. Open enum on the wire.
 */
export const ActionState = z.enum([
  'observed',
  'proposed',
  'deferred',
  'claimed',
  'terminating',
  'done',
  'refused',
  'failed',
  'undone',
]);
export type ActionState = z.infer<typeof ActionState>;

/**
 * A decision of the executor, as it stands: one record of `steward.actions.v1`. A later record of
 * the same id replaces an earlier one.
 */
export const ActionRecord = z.object({
  version: z.literal(1),
  /**
   * The idempotency key: sha256 of cluster, subject, action, finding and its revision
   * (`actionKey`).
   */
  id: z.string(),
  cluster: z.string(),
  /**
   * Which living systems it is about. Missing in records of versions that did not say it, and as
   * long as it is not known.
   */
  identity: ClusterIdentity.optional(),
  /** Grows by one with every record of this id. */
  revision: z.number().int().positive(),
  rule: z.string(),
  finding: z.object({
    id: z.string(),
    revision: z.number().int().positive(),
    /**
     * When it was confirmed, as the finding says: what is found later of the same thing, though
     * this was done, is about its having come back.
     */
    confirmedAt: z.string().optional(),
  }),
  /** Names an action of the executor, as the finding's remedy does. */
  action: z.string(),
  target: Reference,
  state: ActionState,
  /**
   * Why it is in this state, for machines: `mode`, `approval`, `held`, `ceiling`, `changed` ….
   * Open.
   */
  code: z.string(),
  /** The same for a person, in one sentence. */
  reason: z.string(),
  mode: Mode,
  /** The plan it is part of; null for one decided by itself. */
  plan: z.string().nullable(),
  /** Who allowed it, where a person did. */
  approvedBy: z.string().nullable(),
  /** Proven on the live systems just before; the finding's own until then. */
  proof: z.array(Fact),
  owner: Ownership,
  scope: z.object({ vpc: z.string().nullable(), subnet: z.string().nullable() }),
  undo: Undo.nullable(),
  /**
   * Of a claim: what is verified again after it was carried out, to detect a user that appeared
   * meanwhile.
   */
  foundations: Foundations.optional(),
  /**
   * Of what is under way: that it could not be brought to its end so far. Missing where that did
   * not fail.
   */
  unsettled: Unsettled.optional(),
  /** Which executor wrote this, by the name of its process. */
  executor: z.string(),
  /** RFC 3339, UTC, on the executor's clock. */
  at: z.string(),
  claimedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type ActionRecord = z.infer<typeof ActionRecord>;

/** The states of what is being done. */
export const UNDER_WAY: ReadonlySet<ActionState> = new Set<ActionState>(['claimed', 'terminating']);

/**
 * A deletion that did not finish in time. When the object disappears later, that is still
 * published; and a person may request it back.
 */
export const NOT_FINISHED = 'not-finished';

/** Whether it was carried out, though the object may still exist. */
export const isCarriedOut = ({ state }: Pick<ActionRecord, 'state'>): boolean =>
  state === 'done' || state === 'terminating';

/** Whether Kubernetes has an irrevocable deletion of the object, and the object still exists. */
export const isActionTerminating = ({
  state,
  code,
}: Pick<ActionRecord, 'state' | 'code'>): boolean =>
  state === 'terminating' || (state === 'failed' && code === NOT_FINISHED);

/** Of what a person gave up, so that nobody brings it to its end any more. */
export const GIVEN_UP = 'given-up';

/** With these codes what was given up stays so, though a person wanted it back. */
const STAYS_GIVEN_UP: ReadonlySet<string> = new Set([GIVEN_UP, 'undo-held', 'undo-impossible']);

/**
 * Whether the action was given up while its outcome was unknown: what was deleted may still be
 * restored.
 */
export const isGivenUp = ({
  state,
  code,
  claimedAt,
  undo,
}: Pick<ActionRecord, 'state' | 'code' | 'claimedAt' | 'undo'>): boolean =>
  state === 'failed' && STAYS_GIVEN_UP.has(code) && claimedAt !== null && undo !== null;

/**
 * The states after which nothing more is done about that revision of the finding; what is done may
 * still be undone.
 */
export const ENDED: ReadonlySet<ActionState> = new Set<ActionState>([
  'done',
  'refused',
  'failed',
  'undone',
]);
