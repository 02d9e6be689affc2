import type { Blocker, Deletable } from './deletion';
import { abandonedFinalizers, isTerminating, nameOf } from './deletion';
import type { Verdict, Violation } from '../rules/rule';
import { healthy, present, unchanged, value, violation } from '../rules/rule';

/** The way out where one is proven, and the facts that prove it. */
export type Way = Required<Pick<Violation, 'remedy' | 'proof'>>;

/**
 * The verdict on an object that was told to go and has not gone: what all stuck-* rules share. With no blocker to be seen
 * the controller itself is the suspect: it is down, or it gave up on the object until its next start.
 */
export function stuckDeletion(entity: Deletable, blockersOf: () => readonly Blocker[], wayOut: () => Way | undefined = () => undefined): Verdict {
  if (!isTerminating(entity)) return healthy;
  const { deletionTimestamp = '', finalizers = [] } = entity.object.metadata;
  const blockers = [...abandonedFinalizers(entity), ...blockersOf()];
  const because = blockers.length > 0 ? blockers.map((it) => it.because).join('; ') : 'nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start';
  const by = blockers.flatMap((it) => it.by ?? []);
  const way = wayOut();
  return violation({
    says: `${nameOf(entity)} has been terminating since ${deletionTimestamp}: ${because}`,
    concerns: by,
    waits: blockers,
    proof: [value(entity, 'metadata.deletionTimestamp', deletionTimestamp), value(entity, 'metadata.finalizers', finalizers.join(', ')), ...by.map((it) => present(it)), ...(way?.proof ?? []), unchanged(entity)],
    ...(way && { remedy: way.remedy }),
  });
}
