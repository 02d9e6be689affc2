import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { CALLED_OFF } from '@ovn-steward/shared/marks';
import { Failure } from '@ovn-steward/shared/errors';
import { getIfInstalled } from '@ovn-steward/systems/kubernetes/get-if-installed';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { pointerStep } from '@ovn-steward/systems/kubernetes/metadata';

const ATTEMPTS = 5;

/**
 * Ensures that no request about this incarnation that was sent before, by any process, takes effect
 * from now on: each is bound to a resourceVersion, and the object gets another one, by an
 * annotation. A deleted object, or one being deleted where its deletion is what was sent, is left
 * as it is.
 * @param held the hold on this write, in words, read right before it is sent.
 * @throws Failure when it cannot be ensured, and `on-hold`: the request may still take effect.
 */
export async function callOff(
  { kind, namespace, name, uid, part }: Reference,
  kubernetes: Kubernetes,
  held: (signal: AbortSignal) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<void> {
  let refusal = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const object = await getIfInstalled(kind, namespace, name, kubernetes, signal);
    if (
      object?.metadata.uid !== uid ||
      (part === undefined && object.metadata.deletionTimestamp !== undefined)
    )
      return;
    const { resourceVersion } = object.metadata;
    const version = {
      kind,
      name,
      uid,
      resourceVersion,
      ...(namespace !== undefined && { namespace }),
    };
    // The version it had: a value it cannot have had before.
    const [path, value] =
      object.metadata['annotations'] === undefined
        ? ['/metadata/annotations', { [CALLED_OFF]: resourceVersion }]
        : [`/metadata/annotations/${pointerStep(CALLED_OFF)}`, resourceVersion];
    const hold = await held(signal);
    if (hold !== undefined)
      throw new Failure(
        'on-hold',
        `A deletion of ${kind} ${name} that was sent before may still arrive; calling it off writes an annotation, and ${hold}. Resume, hold with --except call-off, or give the action up.`,
      );
    const written = await kubernetes.patch(version, [{ op: 'add', path, value }], signal);
    if (written.is === 'patched') return;
    refusal = written.message;
    if (written.why !== 'conflict') break;
  }
  throw new Failure(
    'outcome-unknown',
    `A deletion of ${kind} ${name} that was sent before may still arrive, and cannot be called off: ${refusal}. Let the executor patch objects of this kind.`,
  );
}
