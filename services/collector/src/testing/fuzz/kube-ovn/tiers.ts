import { operation as op } from '@ovn-steward/ovsdb';
import { type Cluster, keyIn, uuidsOf } from '../cluster';
import type { Job } from './controller';

/** What a start does to the ACLs of all, in that order (kube-ovn.md §0.2, §5). */
export function* startAcls(cluster: Cluster): Job {
  const { movesTiers, parentlessAcls } = cluster.release;
  if (movesTiers)
    for (const [uuid, row] of [...cluster.rows('ACL')])
      if (row['tier'] === 0) {
        cluster.write(op.update('ACL', op.byUuid(uuid), { tier: 2 }));
        for (const [group, { acls }] of cluster.rows('Port_Group'))
          if (uuidsOf(acls).includes(uuid)) cluster.damage.harm(group, cluster.now);
        yield;
      }
  if (parentlessAcls !== 'removed') return;
  for (const [group, row] of [...cluster.rows('Port_Group')])
    for (const acl of uuidsOf(row['acls'])) {
      if (
        keyIn(cluster.rows('ACL').get(acl)?.['external_ids'] ?? ['map', []], 'parent') !== undefined
      )
        continue;
      cluster.write(op.mutate('Port_Group', op.byUuid(group), [['acls', 'delete', op.uuid(acl)]]));
      cluster.damage.harm(group, cluster.now);
      cluster.diary.push('an ACL of others was removed at the start');
      yield;
    }
}
