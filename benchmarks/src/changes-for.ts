import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { contentHash } from '@ovn-steward/contracts/identity/ids';

type Body = Pick<Entity, 'kind' | 'uid' | 'name' | 'namespace' | 'object'>;

/**
 * What can be reported of one object: that it is there, with these contents, or that it is gone.
 */
export interface ChangesFor {
  put(entity: Entity, object?: Entity['object']): Change;
  delete(entity: Entity): Change;
}

/** Makes changes that follow on what the engine has heard, as the collector would. */
export function changesFor(engine: Engine): ChangesFor {
  const seqs = new Map<string, number>();
  const position = (stream: string) => {
    const state = engine.streams().find((it) => it.stream === stream)!;
    const seq = (seqs.get(stream) ?? state.seq) + 1;
    seqs.set(stream, seq);
    return {
      version: 1,
      id: `${stream}-${seq}`,
      cluster: 'bench',
      source: state.source,
      stream,
      epoch: state.epoch,
      seq,
      cursor: String(seq),
      observedAt: new Date().toISOString(),
    } as const;
  };
  const where = ({ kind, uid, name, namespace }: Body) => ({
    kind,
    uid,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  });
  return {
    put: (entity, object = entity.object) => ({
      ...position(entity.stream),
      type: 'put',
      ...where(entity),
      object: object as Record<string, unknown>,
      hash: contentHash(object),
    }),
    delete: (entity) => ({ ...position(entity.stream), type: 'delete', ...where(entity) }),
  };
}
