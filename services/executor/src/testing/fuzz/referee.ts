import type { Operation } from '@ovn-steward/ovsdb';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { PUT_BACK } from '@ovn-steward/systems/kubernetes/manifest';
import type {
  KubernetesCall,
  MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import type { Way } from './astray';
import { type Cluster, has } from './cluster';
import { identityOf } from './identity-of';
import { keptIncarnation, keptRow } from './oracle';
import type { Row } from './pictures';
import { judgeLimits } from './referee/limits';
import type { ReachCounter } from './reached';
import { isLeftUnknown, judgeGivenUp } from './referee/given-up';
import { forbids, type Hold, judgeHolds, type Place, placeOf, type Purpose } from './referee/holds';
import { type Limited, type LimitedNow, limitedNow } from './referee/moments';
import { judgeObjects } from './referee/objects';
import { judgePermissions } from './referee/permissions';
import { actionOf, judgeRows, writesIn } from './referee/rows';
import { createScores, type Doubtful } from './referee/scores';
import { objectStands, rowStands } from './referee/standing';
import { RECORDED_CLUSTER } from '../recorded-engine';
import type { Offence, Tally } from './tally';
import { isDoneTooEarly, unfinished } from './referee/unfinished';

/** What was done about one action. */
export interface Committed {
  readonly removals: number;
  readonly undos: number;
  /**
   * Nobody can see what was done: somebody put the entry there again, which has no incarnation, or
   * took the thing before.
   */
  readonly overtaken: boolean;
}

/** An executor as the referee knows it. */
export interface Watched {
  /** What it is about: the last it claimed or goes on with. */
  about(): ActionRecord | undefined;
  /**
   * What its ledger has of that action, of which it may have several under way; what it is about,
   * by default.
   */
  of?(id: string): ActionRecord | undefined;
  /** What stood in its ledger of that action when it wrote about it; nothing, by default. */
  before?(id: string): ActionRecord | undefined;
  /** By its own clock; milliseconds since 1970. */
  now(): number;
  /** Where its requests go; to its own cluster, by default. */
  way?(): Way;
  /** What it may do, and when; anything, by default. */
  readonly limited?: Limited;
}

/** What is known at the instant at which an executor sends something. */
interface Sent {
  readonly holds: readonly Hold[];
  readonly now: number;
  readonly way: Way | undefined;
  /** The way it went when it made the claim, or since it has its turn, where it puts back. */
  readonly decidedOn: Way | undefined;
  readonly limited: LimitedNow | undefined;
  /** As who sends it has it in its own ledger. */
  readonly claim: ActionRecord | undefined;
}

/** Sees every commit of every executor at its instant, and judges it by what was true then. */
export interface Referee {
  readonly tally: Tally;
  readonly offences: readonly Offence[];
  /** What rules found, and what was removed of it. */
  readonly reach: ReachCounter;
  offend(kind: Offence['kind'], what: string): void;
  /** Called with every record an executor writes into its ledger. */
  read(action: ActionRecord, executor?: Watched): void;
  /** Called with every decision that the log has acknowledged, of somebody who may decide. */
  decided(control: Control): void;
  /** An executor has made this again in another cluster, and could not know. */
  strayed(object: KubernetesObject): void;
  /** An executor sends a transaction: called before it is under way. */
  sends(executor: Watched, operations: readonly Operation[]): void;
  /** Watches what this client changes. */
  watch(
    kubernetes: MemoryKubernetes,
    executor: Watched,
  ): {
    readonly sends: (call: KubernetesCall) => void;
    readonly before: (call: KubernetesCall) => void;
    readonly after: (call: KubernetesCall) => void;
  };
  /** Somebody else has moved: what nobody wants any more may stay gone. */
  observe(): void;
  /**
   * An executor has finished what it was at: whatever went wrongly must be back by now, or, where
   * it says that it was raced, `atLast`.
   */
  settle(atLast?: boolean): void;
  /** At the end of all: of each action, whether something of it is removed now. */
  committed(): ReadonlyMap<string, Committed>;
  /** How many decisions of people the log has acknowledged, and how many removals there were. */
  counts(): { readonly decisions: number; readonly removals: number };
}

export function createReferee(cluster: Cluster): Referee {
  const scores = createScores();
  const { tally, offences, offend, actions, effects, settled } = scores;
  const holds = judgeHolds();
  const places = new Map<string, Place>();
  const sent = new WeakMap<object, Sent>();
  /** Actions and plans that somebody who may decide ever wanted back. */
  const wanted = new Set<string>();
  const ways = new Map<string, Way | undefined>();
  const limits = judgeLimits();
  const identity = identityOf(cluster);
  const permissions = judgePermissions(identity);
  const givenUp = judgeGivenUp(RECORDED_CLUSTER, identity);
  const sentBy = (
    { now, way, about, limited }: Watched,
    claim: ActionRecord | undefined = about(),
  ): Sent => ({
    holds: holds.active(),
    now: now(),
    way: way?.(),
    decidedOn: ways.get(claim?.id ?? ''),
    limited: limited && limitedNow(limited),
    claim,
  });

  /** Held against what was known when it was sent: what comes later cannot call it back. */
  const judgeEffect = (id: string | undefined, purpose: Purpose, at: Sent | undefined): void => {
    if (id === undefined || at === undefined) return;
    if (at.way?.astray !== undefined && at.way === at.decidedOn)
      offend(
        'wrongDeletions',
        `${scores.describe(id)}: ${purpose} by an executor whose ${at.way.astray} is of another cluster since before it decided`,
      );
    const { plan = null } = actions.get(id) ?? {};
    if (purpose === 'undo' && !wanted.has(id) && (plan === null || !wanted.has(plan)))
      offend('wrongDeletions', `${scores.describe(id)}: put back, and nobody wanted that`);
    const late = at.claim?.id === id ? givenUp.sent(at.claim) : undefined;
    if (late !== undefined) offend('wrongDeletions', `${scores.describe(id)}: ${purpose}: ${late}`);
    if (purpose === 'removal') judgeRemoval(id, at);
    const effect = { purpose, rule: actions.get(id)?.rule, place: places.get(id) ?? {} };
    const hold = forbids(at.holds, effect, at.now);
    if (hold)
      offend(
        'heldEffects',
        `${scores.describe(id)}: ${purpose} was sent within the hold ${JSON.stringify(hold.scope)} of ${hold.at}, which was in the log`,
      );
  };
  /** The same of what decides how much may be removed, and who has to allow it. */
  const judgeRemoval = (id: string, at: Sent): void => {
    const action = at.claim;
    if (at.limited === undefined || action?.id !== id) return;
    const why =
      limits.removed(action, at.limited, permissions.overCeilings(action)) ??
      permissions.missing(action, at.limited.of.settings, at.limited.turn, at.limited.of) ??
      unfinished(cluster, action, at.limited.steady);
    if (why !== undefined) offend('unbrakedEffects', `${scores.describe(id)}: ${why}`);
  };
  const judgeGiveUp = (action: ActionRecord, before: ActionRecord): void => {
    const why = givenUp.recorded(action, before);
    if (why !== undefined) offend('lostOutcomes', `${scores.describe(action.id)}: ${why}`);
    if (action.code === 'given-up' && before.code !== 'given-up') tally.givenUp += 1;
    // It was searched for and is gone: nobody knows by whom, and it is put back all the same.
    if (isLeftUnknown(before) && action.code === 'undoing') settled.add(action.id);
  };
  /** By the sender's own record: of two executors that write one revision the log keeps the first. */
  const purposeOf = (
    id: string | undefined,
    what: 'removal' | 'put-back',
    at: Sent | undefined,
  ): Purpose => {
    if (what === 'removal') return 'removal';
    const action = at?.claim?.id === id ? at?.claim : actions.get(id ?? '');
    return wantedBack(action) ? 'undo' : 'put-back';
  };

  judgeRows(cluster, scores, (operations, id, what) => {
    const at = sent.get(operations[0]!);
    judgeEffect(id, purposeOf(id, what, at), at);
  });
  const objects = judgeObjects(cluster, scores);

  return {
    tally,
    offences,
    reach: scores.reach,
    offend,
    decided(control) {
      holds.read(control);
      permissions.read(control);
      givenUp.read(control);
      if (control.type === 'undo') wanted.add(control.of);
    },
    read(action, executor) {
      const before = ways.get(action.id);
      const way = executor?.way?.();
      ways.set(action.id, way);
      // A former executor may still say something, into its own ledger: of two records the later
      // revision counts, and of one revision the first.
      if ((actions.get(action.id)?.revision ?? 0) < action.revision) actions.set(action.id, action);
      const stood = executor?.before?.(action.id);
      if (executor?.limited) {
        permissions.refused(action, executor.limited);
        limits.recorded(action, stood, executor.limited, executor.now());
        if (action.state === 'claimed') limits.claimed(action, executor.limited, executor.now());
      }
      if (stood) judgeGiveUp(action, stood);
      // Who went astray meanwhile may have searched for it in another cluster.
      if (isDoneTooEarly(cluster, action) && way?.astray === undefined && way === before)
        offend(
          'lostOutcomes',
          `${scores.describe(action.id)}: reported as done, and it is there still`,
        );
      if (action.state === 'claimed') {
        scores.claimed.set(action.id, action.target);
        places.set(action.id, placeOf(cluster, action.target));
      }
      // Found gone by who went on with a claim, and put back at once where its owner came
      // meanwhile.
      const isFoundGone = action.code === 'racing' && !effects.get(action.id)?.removals;
      if (action.code === 'settled' || isFoundGone) settled.add(action.id);
    },
    strayed({ metadata }) {
      tally.strayed += 1;
      const mark = (metadata['annotations'] as Readonly<Record<string, string>> | undefined)?.[
        PUT_BACK
      ];
      if (mark !== undefined) scores.overtaken.add(mark);
    },
    sends(executor, operations) {
      for (const write of writesIn(operations))
        sent.set(write[0]!, sentBy(executor, executor.of?.(actionOf(write))));
    },
    watch(kubernetes, executor) {
      const watched = objects.watch(
        kubernetes,
        () => executor.about(),
        (call, id, what) => {
          const at = sent.get(call);
          judgeEffect(id, what === 'call-off' ? what : purposeOf(id, what, at), at);
        },
      );
      return { ...watched, sends: (call) => void sent.set(call, sentBy(executor)) };
    },
    observe() {
      objects.observe();
      scores.doubtful = scores.doubtful.filter((doubtful) => {
        if (stillWanted(cluster, doubtful) !== undefined) return true;
        tally.raced += 1;
        return false;
      });
    },
    settle(atLast = false) {
      const waiting: Doubtful[] = [];
      for (const doubtful of scores.doubtful) {
        const { target, image, action } = doubtful;
        const stands = actions.get(action);
        if (!atLast && mayYetCome(doubtful, stands)) {
          waiting.push(doubtful);
          continue;
        }
        const back =
          target.source === 'kubernetes'
            ? objectStands(cluster, target)
            : rowStands(cluster, target, image as Row);
        const still = stillWanted(cluster, doubtful);
        if (stands && isLeftUnknown(stands)) tally.raced += 1;
        else if (back || still === undefined) tally.raced += 1;
        else
          offend(
            'wrongDeletions',
            `${scores.describe(action)} removed what is no garbage: ${doubtful.reason}; still: ${still}; ledger: ${stands?.state} ${stands?.code} ${stands?.reason}`,
          );
      }
      scores.doubtful = waiting;
    },
    counts: () => ({ decisions: permissions.decisions(), removals: limits.removals() }),
    committed() {
      const unseen = [...settled]
        .filter((id) => (effects.get(id)?.removals ?? 0) === 0)
        .map((id) => [id, { removals: 0, undos: 0, overtaken: true }] as const);
      const seen = [...effects].map(
        ([id, it]) => [id, { ...it, overtaken: scores.overtaken.has(id) }] as const,
      );
      return new Map([...seen, ...unseen]);
    },
  };
}

/** A person wants it back, and not only an owner who came. */
const wantedBack = (action: ActionRecord | undefined): boolean => action?.code === 'undoing';

/**
 * A claim may be left to the next executor, and so may what is being put back; an object that is
 * still being deleted is to be made again when it is gone.
 */
const mayYetCome = ({ target }: Doubtful, stands: ActionRecord | undefined): boolean =>
  stands?.state === 'claimed' ||
  stands?.state === 'terminating' ||
  stands?.code === 'not-finished' ||
  stands?.code === 'racing' ||
  stands?.code === 'putting-back' ||
  (target.source === 'kubernetes' &&
    (stands?.code === 'raced-unclear' || stands?.code === 'raced'));

const stillWanted = (cluster: Cluster, { target, image }: Doubtful): string | undefined =>
  target.source === 'kubernetes'
    ? lostSubnet(cluster, target.kind, image) || lostPod(cluster, target)
      ? undefined
      : keptIncarnation(cluster, target.kind, image as KubernetesObject, target.part)
    : keptRow(cluster, target.kind, target.uid, image as Row, target.part);

/** An address of a subnet that is gone is nobody's any more, and cannot be given back. */
const lostSubnet = (cluster: Cluster, kind: string, image: Doubtful['image']): boolean => {
  const { subnet } = ((image as KubernetesObject)['spec'] ?? {}) as { readonly subnet?: string };
  return ['IP', 'Vip'].includes(kind) && subnet !== undefined && !has(cluster, 'Subnet', subnet);
};

/** What was taken from a pod that is gone is nobody's; another of its name is recreated. */
const lostPod = ({ kubernetes }: Cluster, { kind, uid }: Doubtful['target']): boolean =>
  kind === 'Pod' && !kubernetes.objects(kind).some((it) => it.metadata.uid === uid);
