import type { Entity } from '@ovn-steward/judgement/world/entity';
import { project } from '@ovn-steward/systems/projections/project';
import { kubernetesStream } from '@ovn-steward/shared/kinds';

/**
 * An object as the API server answered it, in the form that relations read. It has no hash, since
 * it was not observed.
 * @throws Failure `object-malformed` when it has no uid or no name.
 */
export function entityOf<K extends string>(kind: K, raw: unknown): Entity<K> {
  const { uid, name, object } = project(kind, raw);
  const stream = kubernetesStream(kind);
  return { source: 'kubernetes', stream, kind, uid, name, object, hash: '' } as Entity<K>;
}
