import { PROTECT } from '@ovn-steward/shared/marks';
import { describe, type Reference } from '@ovn-steward/contracts/identity/reference';
import { type Refusal, refusal } from './action';
import { annotationsOf } from '@ovn-steward/systems/kubernetes/metadata';
import { getIfInstalled } from '@ovn-steward/systems/kubernetes/get-if-installed';
import type {
  Kubernetes,
  KubernetesObject,
  ObjectVersion,
} from '@ovn-steward/systems/kubernetes/kubernetes';

/** The very object a finding's remedy is about, as it is now. */
export interface TargetObject {
  readonly object: KubernetesObject;
  readonly version: ObjectVersion;
}

/**
 * The object a target names, in its newest state; refused when it is of another kind, deleted,
 * another incarnation, or kept by a person.
 * @throws Failure when it cannot be read.
 */
export async function readTarget(
  target: Reference,
  kinds: readonly string[],
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<TargetObject | Refusal> {
  const { kind, namespace, name, uid } = target;
  if (target.source !== 'kubernetes' || !kinds.includes(kind))
    return refusal(
      'unsupported',
      `this is done to ${kinds.join(' or ')} only, not to ${describe(target)}`,
    );
  const object = await getIfInstalled(kind, namespace, name, kubernetes, signal);
  if (!object) return refusal('gone', `${describe(target)} is not there any more`);
  if (object.metadata.uid !== uid)
    return refusal(
      'gone',
      `${describe(target)} is another one now, of uid ${object.metadata.uid}; the one that was found is gone`,
    );
  const kept = annotationsOf(object);
  if (Object.hasOwn(kept, PROTECT))
    return refusal(
      'protected',
      `${describe(target)} is kept: its annotation ${PROTECT} says ${JSON.stringify(kept[PROTECT]).slice(0, 200)}`,
    );
  return {
    object,
    version: {
      kind,
      name,
      uid,
      resourceVersion: object.metadata.resourceVersion,
      ...(namespace !== undefined && { namespace }),
    },
  };
}

export const isRefusal = (answer: object): answer is Refusal =>
  'is' in answer && answer.is === 'refused';

/** What a `Prepared` is about. */
export const versionText = ({ uid, resourceVersion }: ObjectVersion): string =>
  `${uid}/${resourceVersion}`;
