import { operation as op } from '@ovn-steward/ovsdb';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, rowNamed } from '../cluster';
import type { Job } from './controller';
import { macOf } from './ipam';
import { make } from './networks';

/** The port of BFD and the chassis that may have it (reconcileVpcBfdLRP); every VPC here asks. */
export function* makeBfd(cluster: Cluster, vpc: string): Job {
  const name = `bfd@${vpc}`;
  const [uuid] = rowNamed(cluster, 'Logical_Router', vpc) ?? [];
  if (uuid === undefined) return;
  const owner = { kind: 'Vpc', name: vpc };
  if (!rowNamed(cluster, 'HA_Chassis_Group', name)) {
    const row = { name, external_ids: ours({ lrp: name }) };
    make(cluster, { table: 'HA_Chassis_Group', name, row, owner });
    yield;
  }
  if (rowNamed(cluster, 'Logical_Router_Port', name)) return;
  const [group] = rowNamed(cluster, 'HA_Chassis_Group', name) ?? [];
  if (group === undefined || !cluster.rows('Logical_Router').has(uuid)) return;
  const row = {
    name,
    mac: macOf(cluster),
    networks: '10.255.255.255/32',
    ha_chassis_group: op.uuid(group),
    external_ids: ours({ lr: vpc }),
  };
  const holder = { table: 'Logical_Router', uuid, column: 'ports' };
  make(cluster, { table: 'Logical_Router_Port', name, row, owner, holder });
  yield;
}
