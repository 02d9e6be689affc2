import { describe, type Reference } from '@ovn-steward/contracts/identity/reference';
import { restoresField } from '../action-kit/restores-field';
import { isRefusal, readTarget, versionText } from '../action-kit/target-object';
import { annotationsOf, pointerStep } from '@ovn-steward/systems/kubernetes/metadata';
import { type Action, refusal } from '../action-kit/action';

const ALLOCATED = '.kubernetes.io/allocated';

/** The annotation a target names, where it is such a mark of some provider. */
const allocationOf = ({ part }: Reference): string | undefined =>
  part?.column === 'metadata.annotations' && part.key.endsWith(ALLOCATED) && part.key !== ALLOCATED
    ? part.key
    : undefined;

const pathOf = (annotation: string): string => `/metadata/annotations/${pointerStep(annotation)}`;

/**
 * Takes the mark from a pod by which Kube-OVN knows that it has its network (kube-ovn.md §2, rows
 * 15 and 36): the controller then recreates the port.
 */
const reallocatePod: Action = {
  id: 'reallocate-pod',
  on: 'kubernetes',
  kinds: ['Pod'],
  verb: 'patch',
  finishedBy: null,
  onlyApproved: true,
  rank: 14,
  does: "Removes the annotation by which Kube-OVN marks the pod's network as allocated; the controller recreates the missing port, with the same address if it is free.",
  undoing:
    'The annotation comes back, unless the controller has set it again. A port the controller made meanwhile stays.',
  restores: (target, undo) =>
    allocationOf(target) === undefined
      ? 'no mark of an allocation was taken'
      : restoresField(target, pathOf(allocationOf(target)!), undo),

  async prepare(target, _comment, { kubernetes }, signal) {
    const { part } = target;
    if (part === undefined || allocationOf(target) === undefined)
      return refusal(
        'unsupported',
        `reallocate-pod removes an annotation <provider>${ALLOCATED}, not ${part?.key ?? 'a whole object'}`,
      );
    const read = await readTarget(target, reallocatePod.kinds, kubernetes, signal);
    if (isRefusal(read)) return read;
    const { object, version } = read;
    const annotations = annotationsOf(object);
    if (object.metadata.deletionTimestamp !== undefined)
      return refusal(
        'gone',
        `${describe(target)} is being deleted (since ${object.metadata.deletionTimestamp})`,
      );
    if (!Object.hasOwn(annotations, part.key))
      return refusal('gone', `${describe(target)} has no annotation ${part.key} any more`);

    const path = pathOf(part.key);
    const value = annotations[part.key];
    const { resourceVersion: _, ...identity } = version;
    return {
      is: 'prepared',
      effect: {
        on: 'kubernetes',
        verb: 'patch',
        object: version,
        patch: [
          { op: 'test', path, value },
          { op: 'remove', path },
        ],
      },
      undo: { of: 'field', ...identity, path, value },
      version: versionText(version),
    };
  },
};
export default reallocatePod;
