import { describe } from '@ovn-steward/contracts/identity/reference';
import { manifestOf } from '@ovn-steward/systems/kubernetes/manifest';
import { restoresField } from '../action-kit/restores-field';
import { restoresObject } from '../action-kit/restores-object';
import { sameJson } from '@ovn-steward/systems/kubernetes/same-json';
import { isRefusal, readTarget, versionText } from '../action-kit/target-object';
import { finalizersOf } from '@ovn-steward/systems/kubernetes/metadata';
import { KINDS_WITH_FINALIZER, leftOf } from '../action-kit/left-of';
import { KUBE_OVN_FINALIZERS } from '@ovn-steward/judgement/kube-ovn/finalizers';
import { notRestored } from '../action-kit/remade';
import { type Action, refusal } from '../action-kit/action';

const FINALIZERS = '/metadata/finalizers';

/**
 * The last step of a deletion that hangs: takes Kube-OVN's finalizer from an object of which
 * nothing is left in OVN.
 */
const stripFinalizer: Action = {
  id: 'strip-finalizer',
  on: 'kubernetes',
  kinds: KINDS_WITH_FINALIZER,
  verb: 'patch',
  finishedBy: null,
  onlyApproved: true,
  rank: 160,
  does: "Takes Kube-OVN's finalizer from an object whose deletion hangs and of which nothing is left in the Northbound; the object then goes.",
  undoing:
    'Where it was the last finalizer, the object is made again, with a new uid and not being deleted; no other finalizer comes back. The controller counts the address as used until it starts again.',
  restores(target, undo) {
    const { part, kind } = target;
    if (part?.column !== 'metadata.finalizers' || !KUBE_OVN_FINALIZERS.has(part.key))
      return 'no finalizer of Kube-OVN was taken';
    if (undo.of === 'object') {
      const why = restoresObject(stripFinalizer.kinds, target, undo);
      if (why !== undefined) return why;
      const finalizers = (undo.manifest['metadata'] as Record<string, unknown>)['finalizers'];
      return sameJson(finalizers, [part.key])
        ? undefined
        : `the record of ${kind} ${target.name} has other finalizers than the last one, which was taken`;
    }
    const why = restoresField(target, `${FINALIZERS}/-`, undo);
    if (why !== undefined || undo.of !== 'field') return why;
    return undo.value === part.key
      ? undefined
      : `the record is of another finalizer than ${part.key}`;
  },

  async prepare(target, _comment, { kubernetes, northbound }, signal) {
    const { part, kind } = target;
    if (part?.column !== 'metadata.finalizers' || !KUBE_OVN_FINALIZERS.has(part.key))
      return refusal(
        'unsupported',
        `only finalizers of Kube-OVN are taken away (${[...KUBE_OVN_FINALIZERS].join(', ')}), not ${part?.key ?? 'none'}`,
      );
    const read = await readTarget(target, stripFinalizer.kinds, kubernetes, signal);
    if (isRefusal(read)) return read;
    const { object, version } = read;
    const finalizers = finalizersOf(object);
    const at = finalizers.indexOf(part.key);
    if (at < 0) return refusal('gone', `${describe(target)} has no finalizer ${part.key} any more`);
    if (object.metadata.deletionTimestamp === undefined)
      return refusal('changed', `${describe(target)} is not being deleted`);
    const left = await leftOf(kind, object, northbound, signal);
    if (left?.is === 'unknown')
      return refusal(
        'unknown',
        `whether anything of ${describe(target)} is left in the Northbound cannot be known: ${left.text}`,
      );
    if (left)
      return refusal(
        'changed',
        `${left.text} is there: the controller has not finished with ${describe(target)}, and would leave it behind`,
      );

    const { resourceVersion: _, ...identity } = version;
    const isLast = finalizers.length === 1;
    const manifest = manifestOf(kind, object);
    return {
      is: 'prepared',
      effect: {
        on: 'kubernetes',
        verb: 'patch',
        object: version,
        patch: [
          { op: 'test', path: `${FINALIZERS}/${at}`, value: part.key },
          { op: 'remove', path: `${FINALIZERS}/${at}` },
        ],
      },
      undo: isLast
        ? { of: 'object', kind, manifest }
        : { of: 'field', ...identity, path: `${FINALIZERS}/-`, value: part.key },
      version: versionText(version),
      notRestored: isLast ? await notRestored(kind, manifest, kubernetes, signal) : [],
    };
  },
};
export default stripFinalizer;
