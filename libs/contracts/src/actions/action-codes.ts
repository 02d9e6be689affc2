import type { ActionState } from './action';

interface CodeMeaning {
  readonly code: string;
  /** The states it comes with. */
  readonly states: readonly ActionState[];
  readonly meaning: string;
}

/**
 * Every code an action's record may have, but for those of failures (`RETRY`), which come with
 * `deferred` where what must be known could not be. Open on the wire: readers tolerate codes they
 * do not know.
 */
export const ACTION_CODES = [
  { code: 'mode', states: ['observed'], meaning: 'the rule only observes' },
  {
    code: 'approval',
    states: ['proposed'],
    meaning: 'the mode is `propose`, or the action is never done without a person',
  },
  {
    code: 'held',
    states: ['deferred'],
    meaning: 'a hold of this scope is in force',
  },
  {
    code: 'suppressed',
    states: ['deferred'],
    meaning: 'a person or the settings suppressed it: it is known and left alone',
  },
  {
    code: 'freeze',
    states: ['deferred'],
    meaning: 'a freeze of `executor.freezes` is in force',
  },
  { code: 'window', states: ['deferred'], meaning: 'no window of `executor.windows` is open' },
  {
    code: 'yield',
    states: ['deferred'],
    meaning: "somebody else, such as Kube-OVN's own garbage collection, is removing the same",
  },
  {
    code: 'ceiling',
    states: ['deferred'],
    meaning: 'more would be removed than the ceilings allow; nothing of the plan is done',
  },
  {
    code: 'scope',
    states: ['deferred'],
    meaning:
      'proven again, it is in another subnet or VPC than its finding says, for which holds and ceilings were checked',
  },
  {
    code: 'no-controller',
    states: ['deferred'],
    meaning:
      'a kube-ovn-controller must finish it, and none renews its Lease: the object would hang',
  },
  {
    code: 'in-use',
    states: ['deferred'],
    meaning: 'something still uses it, or a controller that would remove it itself is there',
  },
  {
    code: 'blocked',
    states: ['deferred'],
    meaning: 'the system does not allow it now, such as a PodDisruptionBudget',
  },
  {
    code: 'waits',
    states: ['deferred'],
    meaning:
      'something must happen first, such as the start of the pod that replaces the one restarted before',
  },
  {
    code: 'unsent',
    states: ['deferred'],
    meaning:
      'its claimer died; it still exists, nothing was removed, and it is decided about again',
  },
  {
    code: 'slow',
    states: ['deferred'],
    meaning: 'the proof was too old at each attempt',
  },
  {
    code: 'put-back',
    states: ['deferred'],
    meaning: 'a person requested undo before: it is removed again only with approval',
  },
  {
    code: 'plan-stale',
    states: ['deferred'],
    meaning: 'it is no longer what the plan was made of',
  },
  {
    code: 'plan-unstated',
    states: ['deferred'],
    meaning:
      'its plan rests on a person’s statement that Kube-OVN was uninstalled, which this executor was not given (`uninstalled`)',
  },
  {
    code: 'other-cluster',
    states: ['deferred', 'failed', 'done'],
    meaning:
      'it is of other live systems than those of the ledger: nothing of it is carried out (`deferred`), settled (`failed`) or put back (`done`)',
  },
  {
    code: 'mispaired',
    states: ['deferred'],
    meaning:
      'the pods and nodes of this Kubernetes have other MAC addresses than the ports of their names: it is another cluster than the network',
  },
  {
    code: 'unknown',
    states: ['deferred'],
    meaning:
      'what must be known could not be; so do the codes of failures, such as `source-unreachable`',
  },
  {
    code: 'unsupported',
    states: ['deferred', 'refused'],
    meaning:
      'this version has no such action (`deferred`: another version may), or not for this thing (`refused`)',
  },
  { code: 'claimed', states: ['claimed'], meaning: 'it is allowed, proven, and will be sent' },
  { code: 'sending', states: ['claimed'], meaning: 'its request to Kubernetes may be under way' },
  {
    code: 'terminating',
    states: ['terminating'],
    meaning: 'Kubernetes took the deletion, and the object waits for its finalizers',
  },
  { code: 'done', states: ['done'], meaning: 'the system acknowledged it, and it is gone' },
  { code: 'settled', states: ['done'], meaning: "the system's answer was lost; it is gone" },
  {
    code: 'racing',
    states: ['terminating', 'done'],
    meaning: 'its owner appeared while it was removed; it is to be put back, once it is gone',
  },
  { code: 'putting-back', states: ['done'], meaning: 'the same, and the put-back is in progress' },
  {
    code: 'raced',
    states: ['undone', 'done'],
    meaning: 'its owner appeared while it was removed; it was put back at once, or could not be',
  },
  {
    code: 'undoing',
    states: ['done'],
    meaning: 'a person requested undo, and it is being put back',
  },
  {
    code: 'undo-held',
    states: ['done', 'failed'],
    meaning: 'a person requested undo, and a hold prevents it',
  },
  {
    code: 'undo-impossible',
    states: ['done', 'failed'],
    meaning:
      'a person requested undo, and it is impossible; nothing was written (`failed`: for what was given up)',
  },
  {
    code: 'undo-unclear',
    states: ['done'],
    meaning:
      'the executor died during a requested put-back, and the thing is not as it was: somebody has replaced or removed it since, or withdrew the request',
  },
  {
    code: 'raced-unclear',
    states: ['done'],
    meaning: 'the same, for a put-back because its owner appeared',
  },
  {
    code: 'undone',
    states: ['undone'],
    meaning:
      'it was put back at a person’s request; or it is an object that was never deleted, which the reason says',
  },
  { code: 'gone', states: ['refused'], meaning: 'it was gone before anything was done' },
  {
    code: 'twin',
    states: ['refused'],
    meaning: 'another action has removed the same thing, or is about to',
  },
  { code: 'changed', states: ['refused'], meaning: 'it changed since it was proven' },
  { code: 'untrue', states: ['refused'], meaning: 'proven again, the finding is not true' },
  {
    code: 'protected',
    states: ['refused', 'deferred'],
    meaning:
      'it is protected, or of somebody else (`refused`); a person protected it with `steward protect` (`deferred`)',
  },
  {
    code: 'too-large',
    states: ['refused'],
    meaning: 'its undo record is too large for the log: what cannot be put back is not removed',
  },
  {
    code: 'forbidden',
    states: ['refused'],
    meaning: "the system does not let the executor's account do it",
  },
  { code: 'refused', states: ['refused'], meaning: 'the system refused it' },
  {
    code: 'not-finished',
    states: ['failed'],
    meaning:
      'it was deleted and waits for its finalizers longer than `executor.finishWithin`; the executor keeps checking, and records `done` when it is gone',
  },
  { code: 'still-there', states: ['failed'], meaning: 'it was acknowledged and still exists' },
  {
    code: 'given-up',
    states: ['failed', 'done'],
    meaning:
      'a person gave it up: no executor checks its result any more (`failed`), or puts it back for the owner that appeared (`done`)',
  },
  {
    code: 'no-answer',
    states: ['failed'],
    meaning: 'it was sent repeatedly without an answer, and still exists',
  },
] as const satisfies readonly CodeMeaning[];

export type ActionCode = (typeof ACTION_CODES)[number]['code'];
