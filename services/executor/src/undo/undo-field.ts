import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { EffectComment } from '../action-kit/action';
import { getIfInstalled } from '@ovn-steward/systems/kubernetes/get-if-installed';
import type { JsonPatch, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationsOf, finalizersOf, pointerStep } from '@ovn-steward/systems/kubernetes/metadata';
import { sameJson } from '@ovn-steward/systems/kubernetes/same-json';
import type { Systems } from '@ovn-steward/systems/systems';
import { impossible, type UndoPlan } from './undo-plan';

const ANNOTATION = '/metadata/annotations/';
const FINALIZER = '/metadata/finalizers/-';

/**
 * Gives an object back an annotation or a finalizer that was taken from it. Reads first; the write
 * is bound to the version that was seen.
 * @throws Failure when it cannot be read.
 */
export async function undoField(
  undo: Undo & { readonly of: 'field' },
  _comment: EffectComment,
  { kubernetes }: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  const { kind, namespace, name, uid, path, value } = undo;
  const title = `${kind} ${objectKey(namespace, name)}`;
  const object = await getIfInstalled(kind, namespace, name, kubernetes, signal);
  if (!object || object.metadata.uid !== uid)
    return impossible(`${title} is gone${object ? '; there is another of that name' : ''}`);
  const { deletionTimestamp, resourceVersion } = object.metadata;

  const now =
    path === FINALIZER
      ? finalizerIn(object, value)
      : path.startsWith(ANNOTATION)
        ? annotationIn(object, keyOf(path), value)
        : undefined;
  if (now === undefined) return impossible(`${path} is not a field this version puts back`);
  if (now.is === 'back') return { is: 'back', reason: `${title} has it` };
  if (now.is === 'other')
    return impossible(`${path} of ${title} is ${JSON.stringify(now.value).slice(0, 200)} now`);
  if (deletionTimestamp !== undefined)
    return impossible(
      `${title} is being deleted (since ${deletionTimestamp})${path === FINALIZER ? ', and takes no finalizers any more' : ''}`,
    );
  const version = {
    kind,
    name,
    uid,
    resourceVersion,
    ...(namespace !== undefined && { namespace }),
  };
  return {
    is: 'ready',
    effect: { on: 'kubernetes', verb: 'patch', object: version, patch: now.patch },
    losses: [
      path === FINALIZER
        ? 'its controller may have finished without it'
        : 'its controller has acted without it',
    ],
  };
}

type Field =
  | { readonly is: 'back' }
  | { readonly is: 'other'; readonly value: unknown }
  | { readonly is: 'missing'; readonly patch: JsonPatch };

const keyOf = (path: string): string =>
  path.slice(ANNOTATION.length).replace(/~1/g, '/').replace(/~0/g, '~');

function annotationIn(object: KubernetesObject, key: string, value: unknown): Field {
  const annotations = annotationsOf(object);
  if (Object.hasOwn(annotations, key))
    return sameJson(annotations[key], value)
      ? { is: 'back' }
      : { is: 'other', value: annotations[key] };
  const whole = object.metadata['annotations'] === undefined;
  return {
    is: 'missing',
    patch: [
      whole
        ? { op: 'add', path: ANNOTATION.slice(0, -1), value: Object.fromEntries([[key, value]]) }
        : { op: 'add', path: `${ANNOTATION}${pointerStep(key)}`, value },
    ],
  };
}

function finalizerIn(object: KubernetesObject, value: unknown): Field {
  const finalizers = finalizersOf(object);
  if (typeof value === 'string' && finalizers.includes(value)) return { is: 'back' };
  return {
    is: 'missing',
    patch: [
      object.metadata.finalizers === undefined
        ? { op: 'add', path: FINALIZER.slice(0, -2), value: [value] }
        : { op: 'add', path: FINALIZER, value },
    ],
  };
}
