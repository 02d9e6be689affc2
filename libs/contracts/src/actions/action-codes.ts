import type { ActionState } from './action';

interface CodeMeaning {
  readonly code: string;
  /** The states it comes with. */
  readonly states: readonly ActionState[];
  readonly meaning: string;
}

/**
 * Every code an action's record may have, but for those of failures (`RETRY`), which come with `deferred` where what must be known could not be.
 * Open on the wire: readers tolerate codes they do not know.
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
    meaning: 'a person said stop: a hold of this scope stands',
  },
  {
    code: 'suppressed',
    states: ['deferred'],
    meaning: 'a person, or a switch in the settings, suppressed it: it is known and left alone',
  },
  {
    code: 'freeze',
    states: ['deferred'],
    meaning: 'it is a time in which nothing is done, by `executor.freezes`',
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
    meaning:
      'more would be removed than the limits allow; the whole plan is given up, and none of it done',
  },
  {
    code: 'scope',
    states: ['deferred'],
    meaning:
      'proven anew it lies in another subnet or VPC than its finding says, and holds and ceilings were asked for that one',
  },
  {
    code: 'no-controller',
    states: ['deferred'],
    meaning:
      'a kube-ovn-controller would have to finish it, and none renews its Lease: the object would hang',
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
      'something has to come first, such as the pod that takes the place of the one restarted before',
  },
  {
    code: 'unsent',
    states: ['deferred'],
    meaning:
      'who claimed it died; it is still there, nothing was removed, and it is decided about anew',
  },
  {
    code: 'slow',
    states: ['deferred'],
    meaning: 'the proof was too old each time it was to be acted on',
  },
  {
    code: 'put-back',
    states: ['deferred'],
    meaning: 'a person had it put back before: it is removed again only when a person approves',
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
      'it is of other living systems than those the ledger belongs to: nothing of it is carried out (`deferred`), settled (`failed`) or put back (`done`)',
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
  { code: 'settled', states: ['done'], meaning: "nobody heard the system's answer; it is gone" },
  {
    code: 'racing',
    states: ['terminating', 'done'],
    meaning: 'its owner appeared while it was removed; it is to be put back, once it is gone',
  },
  { code: 'putting-back', states: ['done'], meaning: 'the same, and it is being put back' },
  {
    code: 'raced',
    states: ['undone', 'done'],
    meaning: 'its owner appeared while it was removed; it was put back at once, or could not be',
  },
  {
    code: 'undoing',
    states: ['done'],
    meaning: 'a person wants it back, and it is being put back',
  },
  {
    code: 'undo-held',
    states: ['done', 'failed'],
    meaning: 'a person wants it back, and a hold keeps it from being put back',
  },
  {
    code: 'undo-impossible',
    states: ['done', 'failed'],
    meaning:
      'a person wanted it back, and it cannot be; nothing was written (`failed`: of what was given up)',
  },
  {
    code: 'undo-unclear',
    states: ['done'],
    meaning:
      'the executor died while it put it back as a person wanted, and it is not there as it was: somebody has replaced or removed since what may have been put back, or withdrew the request',
  },
  {
    code: 'raced-unclear',
    states: ['done'],
    meaning: 'the same, of what was put back since its owner appeared',
  },
  { code: 'undone', states: ['undone'], meaning: 'a person had it put back' },
  { code: 'gone', states: ['refused'], meaning: 'it was gone before anything was done' },
  {
    code: 'twin',
    states: ['refused'],
    meaning: 'another action has removed the same thing, or is about to',
  },
  { code: 'changed', states: ['refused'], meaning: 'it is not what was proven any more' },
  { code: 'untrue', states: ['refused'], meaning: 'proven anew, the finding does not hold' },
  {
    code: 'protected',
    states: ['refused', 'deferred'],
    meaning:
      'it is protected, or of somebody else (`refused`); a person protected it with `steward protect` (`deferred`)',
  },
  {
    code: 'too-large',
    states: ['refused'],
    meaning:
      'what would undo it is larger than the log takes: what cannot be put back is not removed',
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
      'it was deleted and waits for its finalizers longer than `executor.finishWithin`; it is looked at on, and recorded as `done` when it is gone',
  },
  { code: 'still-there', states: ['failed'], meaning: 'it was acknowledged and is still there' },
  {
    code: 'given-up',
    states: ['failed', 'done'],
    meaning:
      'a person gave it up: nobody looks any more what became of it (`failed`), or puts it back for the owner that appeared (`done`)',
  },
  {
    code: 'no-answer',
    states: ['failed'],
    meaning: 'it was sent again and again without an answer, and is still there',
  },
] as const satisfies readonly CodeMeaning[];

export type ActionCode = (typeof ACTION_CODES)[number]['code'];
