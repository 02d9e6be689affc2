import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { StreamState } from '@ovn-steward/judgement/world/streams';
import type { World } from '@ovn-steward/judgement/world/world';
import { Failure } from '@ovn-steward/shared/errors';
import { FOLD_VERSION } from './checkpoint';
import { onCheckpoint } from './read-checkpoint';

/** What a checkpoint holds of a cluster beside its world, of the same moment. */
export interface RestoredState {
  /** The sources' time of it, RFC 3339; empty where the checkpoint never heard of the cluster. */
  readonly now: string;
  readonly findings: readonly Finding[];
}

/**
 * Fills an empty world with what a checkpoint holds of a cluster, beside the analyzer that writes
 * it.
 * @throws Failure as `onCheckpoint` does; `state-corrupt` also where another version wrote it.
 */
export function restoreWorld(path: string, cluster: string, world: World): RestoredState {
  return onCheckpoint(path, (db) => {
    if (db.pragma('user_version', { simple: true }) !== FOLD_VERSION)
      throw new Failure(
        'state-corrupt',
        `${path} was written by another version of ovn-steward: start steward run of this version on the folder once, which builds it again`,
      );
    const streams = db
      .prepare<[string], { state: string }>('SELECT state FROM stream WHERE cluster = ?')
      .all(cluster);
    world.restoreStreams(streams.map((it) => JSON.parse(it.state) as StreamState));
    const entities = db.prepare<[string], { entity: string }>(
      'SELECT entity FROM entity WHERE cluster = ?',
    );
    world.restoreEntities(mapped(entities.iterate(cluster)));
    const time = db.prepare<[string], { now: string }>('SELECT now FROM cluster WHERE cluster = ?');
    const findings = db
      .prepare<[string], { finding: string }>('SELECT finding FROM finding WHERE cluster = ?')
      .all(cluster);
    return {
      now: time.get(cluster)?.now ?? '',
      findings: findings.map((it) => JSON.parse(it.finding) as Finding),
    };
  });
}

function* mapped(rows: Iterable<{ readonly entity: string }>): Generator<Entity> {
  for (const { entity } of rows) yield JSON.parse(entity) as Entity;
}
