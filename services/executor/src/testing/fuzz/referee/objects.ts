import { isDeepStrictEqual } from 'node:util';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { CALLED_OFF } from '@ovn-steward/shared/marks';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { PUT_BACK } from '@ovn-steward/systems/kubernetes/manifest';
import type {
  KubernetesCall,
  MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import type { Cluster } from '../cluster';
import { reasonToKeep } from '../oracle';
import type { Scores } from './scores';
import { objectStands } from './standing';

/** Called with every write of an executor that took effect: what it did, and to whose claim. */
export type OnCall = (
  call: KubernetesCall,
  action: string | undefined,
  what: 'removal' | 'put-back' | 'call-off',
) => void;

export interface Watch {
  readonly before: (call: KubernetesCall) => void;
  readonly after: (call: KubernetesCall) => void;
}

export interface ObjectJudge {
  /** Watches what this client changes. `claimed`: what the executor behind it is about. */
  watch(
    kubernetes: MemoryKubernetes,
    claimed: () => ActionRecord | undefined,
    onCall: OnCall,
  ): Watch;
  /** Somebody else has moved. */
  observe(): void;
}

const WRITES: ReadonlySet<KubernetesCall['verb']> = new Set<KubernetesCall['verb']>([
  'delete',
  'evict',
  'patch',
  'create',
]);

interface Removed {
  readonly object: KubernetesObject;
  readonly action: string;
  readonly whole: boolean;
}

interface Seen {
  readonly object: KubernetesObject | undefined;
  readonly reason: string | undefined;
}

/** Judges what executors change in Kubernetes, call by call. */
export function judgeObjects(cluster: Cluster, scores: Scores): ObjectJudge {
  /** Of each name every incarnation that was removed, the last first. */
  const removed = new Map<string, Removed[]>();
  /** Actions that took an annotation, which has no incarnation. */
  const entries = new Map<string, Reference>();
  const { offend, describe, actions, settled } = scores;

  const back = (action: string): void => {
    scores.count(action, 'undos');
    entries.delete(action);
    scores.doubtful = scores.doubtful.filter((it) => it.action !== action);
  };

  function madeAgain(call: KubernetesCall, now: KubernetesObject | undefined): string | undefined {
    const mark = annotationsOf(now)[PUT_BACK];
    const taken = (removed.get(keyOf(call)) ?? []).find(({ action }) => action === mark);
    const settledOne = mark !== undefined && settled.has(mark) ? actions.get(mark) : undefined;
    if (!taken && settledOne) {
      scores.count(settledOne.id, 'undos');
      return settledOne.id;
    }
    if (!taken || !now) {
      offend('undoMismatches', `${call.kind} ${call.name} was made, which no executor removed`);
      return undefined;
    }
    back(taken.action);
    if (!isDeepStrictEqual(kept(taken.object), kept(now)))
      offend(
        'undoMismatches',
        `${describe(taken.action)}: ${call.kind} ${call.name} was ${JSON.stringify(kept(taken.object))} and is ${JSON.stringify(kept(now))}`,
      );
    return taken.action;
  }

  /**
   * The one claim on that object: what is called off is not always what the executor wrote about
   * last.
   */
  const claimOn = ({ metadata: { uid } }: KubernetesObject): string | undefined => {
    const open = [...actions.values()].filter(
      (it) => it.state === 'claimed' && it.target.uid === uid,
    );
    return open.length === 1 ? open[0]!.id : undefined;
  };

  /**
   * Whose annotation it is that nobody saw an executor take: found gone after a claim, and put
   * back.
   */
  const foundGone = (before: KubernetesObject, now: KubernetesObject): ActionRecord | undefined =>
    [...settled]
      .map((id) => actions.get(id))
      .find(
        (record) =>
          record?.target.uid === now.metadata.uid &&
          record.target.part !== undefined &&
          Object.hasOwn(annotationsOf(now), record.target.part.key) &&
          !Object.hasOwn(annotationsOf(before), record.target.part.key),
      );

  /** A finalizer or an annotation is there again. */
  function givenBack(
    call: KubernetesCall,
    before: KubernetesObject,
    now: KubernetesObject,
  ): string | undefined {
    const taken = removed
      .get(keyOf(call))
      ?.find((each) => !each.whole && each.object.metadata.uid === now.metadata.uid);
    const settledOne = taken ? undefined : foundGone(before, now);
    if (settledOne) {
      scores.count(settledOne.id, 'undos');
      return settledOne.id;
    }
    if (!taken) {
      offend(
        'undoMismatches',
        `a field of ${call.kind} ${call.name} was put on, which no executor removed`,
      );
      return undefined;
    }
    back(taken.action);
    const key = actions.get(taken.action)?.target.part?.key;
    if (key !== undefined && annotationsOf(now)[key] !== annotationsOf(taken.object)[key])
      offend('undoMismatches', `${describe(taken.action)}: its value is another now`);
    return taken.action;
  }

  function removal(
    call: KubernetesCall,
    { object, reason }: Seen,
    action: ActionRecord | undefined,
  ): void {
    if (!action)
      return offend(
        'wrongDeletions',
        `${call.verb} ${call.kind} ${call.name} of no action that was claimed`,
      );
    const { target } = action;
    if (!object || object.metadata.uid !== target.uid || call.kind !== target.kind)
      return offend(
        'wrongDeletions',
        `${describe(action.id)} did ${call.verb} of ${call.kind} ${call.name}, which is not its target`,
      );
    scores.count(action.id, 'removals');
    if (target.part?.column === 'metadata.annotations') entries.set(action.id, target);
    const is = { object, action: action.id, whole: call.verb !== 'patch' };
    removed.set(keyOf(call), [is, ...(removed.get(keyOf(call)) ?? [])]);
    scores.doubt(action.id, target, reason, object);
  }

  return {
    watch(kubernetes, claimed, onCall) {
      const find = ({ kind, namespace, name }: KubernetesCall): KubernetesObject | undefined =>
        kubernetes
          .objects(kind)
          .find((it) => it.metadata.name === name && it.metadata.namespace === namespace);
      /** By the call: an executor may have several under way. */
      const seen = new Map<KubernetesCall, Seen>();
      return {
        before(call) {
          if (!WRITES.has(call.verb)) return;
          const target = claimed()?.target;
          const reason =
            target?.source === 'kubernetes' ? reasonToKeep(cluster, target) : 'nothing was claimed';
          seen.set(call, { object: find(call), reason });
        },
        after(call) {
          const was = seen.get(call);
          if (!was) return;
          seen.delete(call);
          const { object } = was;
          const now = find(call);
          const action = claimed();
          if (object === now) return void (scores.tally.refusals += 1);
          if (call.verb === 'patch' && object && now && isCalledOff(object, now))
            return onCall(call, claimOn(object), 'call-off');
          if (call.verb === 'create') return onCall(call, madeAgain(call, now), 'put-back');
          if (call.verb === 'patch' && object && now && grewField(object, now))
            return onCall(call, givenBack(call, object, now), 'put-back');
          removal(call, was, action);
          onCall(call, action?.id, 'removal');
        },
      };
    },
    observe() {
      for (const [id, target] of entries)
        if (objectStands(cluster, target)) scores.overtaken.add(id);
    },
  };
}

const keyOf = ({ kind, namespace = '', name = '' }: KubernetesCall): string =>
  `${kind} ${namespace}/${name}`;

const annotationsOf = (object: KubernetesObject | undefined): Readonly<Record<string, string>> =>
  (object?.metadata['annotations'] ?? {}) as Readonly<Record<string, string>>;

/** What an object that was made again must have as it was. */
const kept = (object: KubernetesObject): unknown => [
  object['spec'],
  object.metadata['labels'],
  { ...annotationsOf(object), [PUT_BACK]: undefined, [CALLED_OFF]: undefined },
];

/** Whether it has a finalizer or an annotation more. */
const grewField = (before: KubernetesObject, after: KubernetesObject): boolean =>
  (after.metadata.finalizers ?? []).length > (before.metadata.finalizers ?? []).length ||
  Object.keys(annotationsOf(after)).length > Object.keys(annotationsOf(before)).length;

/** That nothing was changed but the mark which keeps an earlier request from arriving. */
function isCalledOff(before: KubernetesObject, after: KubernetesObject): boolean {
  const others = ({ metadata, ...object }: KubernetesObject): unknown => {
    const { resourceVersion: _, annotations, ...rest } = metadata;
    return [object, rest, { ...(annotations as object | undefined), [CALLED_OFF]: undefined }];
  };
  return isDeepStrictEqual(others(before), others(after));
}
