import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import type { EffectComment } from '../action-kit/action';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { PUT_BACK } from '@ovn-steward/systems/kubernetes/manifest';
import { findOwner, ownersOf } from '../action-kit/owner';
import { POD_REPLACED } from '../action-kit/pod-replaced';
import { isRemadeKind, lossesOf, recreation } from '../action-kit/remade';
import type { Systems } from '@ovn-steward/systems/systems';
import {
  heldBy,
  holdsAddresses,
  objectAddressTaken,
  type HeldAddress,
} from './object-address-taken';
import { impossible, type UndoPlan } from './undo-plan';

/** What a manifest says, as far as it can be made again. */
interface Manifest extends Readonly<Record<string, unknown>> {
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly namespace?: string;
  };
}

/**
 * Makes an object again, unless something has its name or one of its addresses by now. Reads first;
 * the API server refuses a second object of that name.
 * @throws Failure when it cannot be read.
 */
export async function undoObject(
  undo: Undo & { readonly of: 'object' },
  comment: EffectComment,
  systems: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  const { kind, manifest } = undo;
  if (kind === 'Pod') return impossible(POD_REPLACED);
  if (!isRemadeKind(kind) || !isManifest(manifest, kind))
    return impossible(`objects of kind ${kind} are not made again by this version`);
  const { name, namespace } = manifest.metadata;
  const title = `${kind} ${objectKey(namespace, name)}`;

  if ((await systems.kubernetes.serves(kind, signal)) === 'not-installed')
    return {
      is: 'impossible',
      reason: `the API server has no kind ${kind} any more: ${title} can be made again when it is installed`,
      passes: true,
    };
  const namesake = await systems.kubernetes.get(kind, namespace, name, signal);
  if (namesake) return meets(namesake, comment, title);
  const held = holdsAddresses(kind)
    ? heldBy(kind, { ...manifest, metadata: { ...manifest.metadata, uid: 'none yet' } })
    : [];
  const trouble =
    (await subnetGone(held, systems, signal)) ??
    (await objectAddressTaken(held, portsOf(kind, manifest), systems, signal));
  if (trouble !== undefined) return impossible(trouble);

  const { kept, lost } = await livingOwners(manifest, systems, signal);
  const recreated = await recreation(kind, manifest, systems.kubernetes, signal);
  return {
    is: 'ready',
    effect: {
      on: 'kubernetes',
      verb: 'create',
      kind,
      manifest: putBackManifest(recreated.manifest, kept, comment),
    },
    losses: [
      ...lossesOf(kind),
      ...recreated.losses,
      ...lost,
      ...(holdsAddresses(kind) && held.length === 0
        ? ['it named no address: the controller chooses one']
        : []),
    ],
  };
}

function putBackManifest(
  manifest: Readonly<Record<string, unknown>>,
  owners: readonly unknown[],
  { action }: EffectComment,
): Readonly<Record<string, unknown>> {
  const { ownerReferences: _, annotations, ...others } = metadataOf(manifest);
  return {
    ...manifest,
    metadata: {
      ...others,
      annotations: { ...(isRecord(annotations) ? annotations : {}), [PUT_BACK]: action },
      ...(owners.length > 0 && { ownerReferences: owners }),
    },
  };
}

const metadataOf = ({ metadata }: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  isRecord(metadata) ? metadata : {};

const isManifest = (
  manifest: Readonly<Record<string, unknown>>,
  kind: string,
): manifest is Manifest =>
  manifest['kind'] === kind &&
  isRecord(manifest['metadata']) &&
  typeof manifest['metadata']['name'] === 'string' &&
  manifest['metadata']['name'] !== '';

function meets(namesake: KubernetesObject, comment: EffectComment, title: string): UndoPlan {
  const { deletionTimestamp, uid, annotations } = namesake.metadata;
  if (deletionTimestamp !== undefined)
    return {
      is: 'impossible',
      reason: `${title} is still being deleted, since ${deletionTimestamp}: it can be made again when it is gone`,
      passes: true,
    };
  const isBack = isRecord(annotations) && annotations[PUT_BACK] === comment.action;
  return isBack
    ? { is: 'back', reason: `${title} is there, with uid ${uid}` }
    : impossible(`there is another ${title} now, with uid ${uid}`);
}

/** An object without its subnet would be refused, or hang. */
async function subnetGone(
  held: readonly HeldAddress[],
  { kubernetes }: Systems,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const name of new Set(held.map((it) => it.subnet))) {
    const subnet = await kubernetes.get('Subnet', undefined, name, signal);
    if (subnet === undefined || subnet.metadata.deletionTimestamp !== undefined)
      return `Subnet ${name}, of which it had an address, is ${subnet ? 'being deleted' : 'gone'}`;
  }
  return undefined;
}

/** The names of the ports that are the object's own (kube-ovn.md §1). */
function portsOf(kind: string, { metadata: { name }, spec }: Manifest): readonly string[] {
  return kind === 'Vip' && isRecord(spec) ? [name, `${name}.${String(spec['namespace'])}`] : [name];
}

/** An object is not made for deleted owners: Kubernetes would delete it at once. */
async function livingOwners(
  manifest: Manifest,
  { kubernetes }: Systems,
  signal: AbortSignal,
): Promise<{ readonly kept: readonly unknown[]; readonly lost: readonly string[] }> {
  const found = await Promise.all(
    ownersOf(manifest.metadata).map(async (owner) => ({
      owner,
      is: (await findOwner(owner, manifest as never, kubernetes, signal)).is,
    })),
  );
  return {
    kept: found.filter(({ is }) => is === 'there').map(({ owner }) => owner.written),
    lost: found
      .filter(({ is }) => is !== 'there')
      .map(
        ({ owner, is }) =>
          `it does not belong to ${owner.kind} ${owner.name} any more, which ${is === 'gone' ? 'is gone' : 'cannot be read'}`,
      ),
  };
}
