import { describe } from '@ovn-steward/contracts/identity/reference';
import { type Action, type Refusal, refusal } from './action';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { manifestOf } from '@ovn-steward/systems/kubernetes/manifest';
import { restoresObject } from './restores-object';
import { findOwner, type OwnerEntry, ownersOf } from './owner';
import { notRestored, type RemadeKind } from './remade';
import { isRefusal, readTarget, versionText } from './target-object';
import { finalizersOf } from '@ovn-steward/systems/kubernetes/metadata';

/** What differs between the actions that delete an object. */
export interface ObjectAction extends Pick<
  Action,
  'id' | 'onlyApproved' | 'rank' | 'takes' | 'does' | 'undoing' | 'unproposed'
> {
  readonly kind: RemadeKind;
  /** Whether the object goes before this owner, which is being deleted and waits for it. */
  mayPrecede?(object: KubernetesObject, owner: OwnerEntry): boolean;
}

/**
 * An action that deletes one object of one kind, in the version that was read, and leaves the rest
 * to its controller.
 */
export const deletesObject = ({ kind, mayPrecede, ...declared }: ObjectAction): Action => ({
  ...declared,
  on: 'kubernetes',
  verb: 'delete',
  // Every kind that is deleted is Kube-OVN's, with its finalizers; it takes the port and frees the
  // address.
  finishedBy: 'kube-ovn',
  kinds: [kind],
  restores: (target, undo) => restoresObject([kind], target, undo),
  async prepare(target, _comment, { kubernetes }, signal) {
    if (target.part !== undefined)
      return refusal(
        'unsupported',
        `${declared.id} deletes whole objects, not ${target.part.key} of ${describe(target)}`,
      );
    const read = await readTarget(target, [kind], kubernetes, signal);
    if (isRefusal(read)) return read;
    const { object, version } = read;
    if (object.metadata.deletionTimestamp !== undefined) {
      return refusal(
        'gone',
        `${describe(target)} is being deleted (since ${object.metadata.deletionTimestamp}) and waits for its finalizers: ${finalizersOf(object).join(', ') || 'none'}`,
      );
    }
    const held = await heldByOwner(describe(target), object, mayPrecede, kubernetes, signal);
    if (held) return held;
    const manifest = manifestOf(kind, object);
    return {
      is: 'prepared',
      effect: { on: 'kubernetes', verb: 'delete', object: version },
      undo: { of: 'object', kind, manifest },
      version: versionText(version),
      notRestored: await notRestored(kind, manifest, kubernetes, signal),
    };
  },
});

/**
 * Whose owner lives, lives; Kubernetes deletes it with its owner. One that is being deleted holds
 * what it does not wait for.
 */
async function heldByOwner(
  title: string,
  object: KubernetesObject,
  mayPrecede: ObjectAction['mayPrecede'],
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  for (const owner of ownersOf(object.metadata)) {
    const found = await findOwner(owner, object, kubernetes, signal);
    const isTerminating =
      found.is === 'there' && found.object.metadata.deletionTimestamp !== undefined;
    if (isTerminating && mayPrecede?.(object, owner) === true) continue;
    if (found.is === 'there')
      return refusal(
        'protected',
        `${title} belongs to ${owner.kind} ${owner.name}, which is there`,
      );
    if (found.is === 'unreadable')
      return refusal(
        'unknown',
        `${title} belongs to ${found.reason}: whether it is there is not known`,
      );
  }
  return undefined;
}
