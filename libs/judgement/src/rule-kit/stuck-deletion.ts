import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import type { Blocker, Deletable } from '../kube-ovn/deletion';
import { describeEntity, isTerminating } from '../kube-ovn/deletion';
import { abandonedFinalizers, isDeletedOnChange } from '../kube-ovn/deletion-trigger';
import type { ControllerKind } from './controller';
import { controllerRelease } from './controller-release';
import type { Verdict, Violation } from './rule';
import { healthy, violation } from './rule';
import type { View } from './view';
import { present, unchanged, value } from './facts';

/** The remedy where one is proven, and the facts that prove it. */
export type ProvenRemedy = Required<Pick<Violation, 'remedy' | 'proof'>>;

/**
 * The verdict on an object that is being deleted and is still there: what all stuck-* rules share.
 * With no blocker to be seen the controller itself is the suspect: it is down, or it gave up on the
 * object until its next start, or until the object changes.
 */
export function stuckDeletion(
  entity: Deletable,
  view: View<ControllerKind>,
  blockersOf: () => readonly Blocker[],
  remedyOf: () => ProvenRemedy | undefined = () => undefined,
): Verdict {
  if (!isTerminating(entity)) return healthy;
  const { deletionTimestamp = '', finalizers = [] } = entity.object.metadata;
  const blockers = [...abandonedFinalizers(entity, controllerRelease(view)), ...blockersOf()];
  const because =
    blockers.length > 0
      ? blockers.map((it) => it.because).join('; ')
      : suspectOf(entity.kind, finalizers);
  const by = blockers.flatMap((it) => it.by ?? []);
  const remedied = remedyOf();
  return violation({
    summary: `${describeEntity(entity)} has been terminating since ${deletionTimestamp}: ${because}`,
    concerns: by,
    waits: blockers,
    proof: [
      value(entity, 'metadata.deletionTimestamp', deletionTimestamp),
      value(entity, 'metadata.finalizers', finalizers.join(', ')),
      ...by.map((it) => present(it)),
      ...(remedied?.proof ?? []),
      unchanged(entity),
    ],
    ...(remedied && { remedy: remedied.remedy }),
  });
}

/** Who does not take off what is left. */
const suspectOf = (kind: string, finalizers: readonly string[]): string =>
  finalizers.every((it) => it === VPC_GUARD)
    ? `nothing that blocks it is left but our own finalizer ${VPC_GUARD}, and no guard of ours runs that takes it off: steward guard run does, and steward guard remove`
    : `nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until ${isDeletedOnChange(kind) ? 'the object changes' : 'its next start'}`;
