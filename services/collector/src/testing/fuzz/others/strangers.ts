import { operation as op } from '@ovn-steward/ovsdb';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, rowNamed } from '../cluster';

/**
 * Rows nobody can know the writer of, which look like Kube-OVN's: by name, by single keys, by their
 * place. None may ever be called garbage.
 */
const STRANGERS: readonly ((cluster: Cluster) => void)[] = [
  (cluster) => portOn(cluster, 'apps', { pod: 'shop/legacy' }),
  (cluster) =>
    portOn(cluster, 'apps', {
      vendor: 'kube-ovn',
      'neutron:device_id': 'x',
      ls: 'apps',
      pod: 'shop/legacy',
    }),
  (cluster) => portOn(cluster, 'data', { pod: 'true', namespace: 'shop' }),
  (cluster) => portOn(cluster, 'data', { vendor: 'someone', ls: 'data', pod: 'shop/legacy' }),
  (cluster) => group(cluster, 'legacy.shop', { np: 'shop/legacy', owner: 'anna' }),
  (cluster) =>
    group(cluster, 'ovn.sg.legacy', {
      'neutron:security_group_id': 'x',
      sg: 'legacy',
      vendor: 'kube-ovn',
    }),
  (cluster) =>
    set(cluster, 'legacy.shop.ingress.allow.IPv4.0', {
      np: 'shop/legacy/ingress',
      vendor: 'kube-ovn',
      'k8s.ovn.org/owner': 'x',
    }),
];

function portOn(cluster: Cluster, holder: string, ids: Readonly<Record<string, string>>): void {
  const [uuid] = rowNamed(cluster, 'Logical_Switch', holder) ?? [];
  const name = `legacy-${cluster.random.int(1e6).toString(36)}.shop`;
  if (uuid === undefined || rowNamed(cluster, 'Logical_Switch_Port', name)) return;
  cluster.write(
    ...add(
      'Logical_Switch_Port',
      cluster.random.uuid(),
      { name, addresses: 'unknown', external_ids: op.map(Object.entries(ids)) },
      { table: 'Logical_Switch', uuid, column: 'ports' },
    ),
  );
}

function group(cluster: Cluster, name: string, ids: Readonly<Record<string, string>>): void {
  if (rowNamed(cluster, 'Port_Group', name)) return;
  cluster.write(
    op.insert(
      'Port_Group',
      { name, external_ids: op.map(Object.entries(ids)) },
      cluster.random.uuid(),
    ),
  );
}

function set(cluster: Cluster, name: string, ids: Readonly<Record<string, string>>): void {
  if (rowNamed(cluster, 'Address_Set', name)) return;
  cluster.write(
    op.insert(
      'Address_Set',
      { name, external_ids: op.map(Object.entries(ids)) },
      cluster.random.uuid(),
    ),
  );
}

export function stranger(cluster: Cluster): void {
  cluster.random.pick(STRANGERS)(cluster);
  cluster.diary.push('somebody unknown made a row');
}
