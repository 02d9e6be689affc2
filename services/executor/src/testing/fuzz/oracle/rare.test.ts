import { type Json, operation as op } from '@ovn-steward/ovsdb';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, FINALIZER, named, ROUTER } from '../cluster';
import { createCluster } from '../create-cluster';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { isKeptTerminating, keptRunning, keptVip } from './rare-objects';
import { keptEntry, keptVpcBalancer, RARE_ROWS } from './rare-rows';

const UUID = '00000000-0000-4000-8000-00000000aaaa';

let cluster: Cluster;
beforeEach(async () => {
  cluster = await createCluster(random(1));
});

const put = (kind: string, metadata: object, more: object = {}): KubernetesObject =>
  cluster.kubernetes.put({ kind, metadata, ...more } as never);
const kept = (table: string, row: object): string | undefined =>
  RARE_ROWS[table]!(cluster, UUID, row as never);
const refer = (table: string, column: string): void => {
  const [uuid] = [...cluster.northbound.database.rows(table).keys()];
  const write = op.mutate(table, op.byUuid(uuid!), [[column, 'insert', op.uuid(UUID)]]);
  expect(cluster.write(write)).toBe(true);
};

test('a balancer of a VPC is kept by the VPC, and by who uses it', () => {
  const row = { name: 'vpc-tenant-tcp-load', protocol: 'tcp', external_ids: ours() };
  cluster.write(op.insert('Load_Balancer', row, UUID));
  const why = (): string | undefined => keptVpcBalancer(cluster, UUID, row);
  expect(why()).toBeUndefined();
  put('Vpc', { name: 'tenant' });
  expect(why()).toBe('Vpc tenant is there');
  cluster.kubernetes.remove('Vpc', undefined, 'tenant');
  refer('Logical_Router', 'load_balancer');
  expect(why()).toMatch(/^Logical_Router .* uses it$/);
  expect(keptVpcBalancer(cluster, UUID, { name: 'cluster-tcp-loadbalancer' })).toMatch(
    /living VPC/,
  );
});

test('an entry of a balancer is kept by the Service that asks for it', () => {
  const entry = { column: 'vips', key: '10.96.0.99:80' };
  expect(keptEntry(cluster, {}, entry)).toBeUndefined();
  put(
    'Service',
    { name: 'x', namespace: 'shop' },
    {
      spec: { clusterIP: '10.96.0.99', ports: [{ port: 81 }] },
    },
  );
  expect(keptEntry(cluster, {}, entry)).toBeUndefined();
  expect(keptEntry(cluster, {}, { ...entry, key: '10.96.0.99:81' })).toBe('Service x asks for it');
});

test('a backend is kept while something is sent to it, or its port or record is there', () => {
  const entry = { column: 'ip_port_mappings', key: '10.16.0.9' };
  const row = (vips: Json): Record<string, unknown> => ({
    vips,
    ip_port_mappings: op.map([['10.16.0.9', 'gone.shop:10.16.0.1']]),
  });
  expect(keptEntry(cluster, row(op.map([])), entry)).toBeUndefined();
  expect(keptEntry(cluster, row(op.map([['10.96.0.1:80', '10.16.0.9:8080']])), entry)).toMatch(
    /sends to it/,
  );
  put('IP', { name: 'gone.shop' });
  expect(keptEntry(cluster, row(op.map([])), entry)).toBe('IP gone.shop is there');
  expect(keptEntry(cluster, {}, { column: 'external_ids', key: 'vendor' })).toMatch(/nobody's/);
});

test('a BFD session is kept by its gateway, and one without a name by everybody', () => {
  const row = { external_ids: ours({ 'vpc-egress-gateway': 'shop/egress' }) };
  expect(kept('BFD', row)).toBeUndefined();
  put('VpcEgressGateway', { name: 'egress', namespace: 'shop' });
  expect(kept('BFD', row)).toBe('VpcEgressGateway shop/egress is there');
  expect(kept('BFD', { external_ids: ours() })).toMatch(/does not say whose/);
});

test('a group of chassis is kept by its VPC or its router', () => {
  expect(kept('HA_Chassis_Group', { name: 'bfd@nowhere' })).toBeUndefined();
  expect(named(cluster, 'Logical_Router', ROUTER)).toBeDefined();
  cluster.kubernetes.remove('Vpc', undefined, ROUTER);
  expect(kept('HA_Chassis_Group', { name: `bfd@${ROUTER}` })).toMatch(/^Logical_Router /);
});

test('a meter is kept by its policy', () => {
  const row = { name: 'deny.nowhere_to-lport_meter' };
  expect(kept('Meter', row)).toBeUndefined();
  put('NetworkPolicy', { name: 'deny', namespace: 'nowhere' });
  expect(kept('Meter', row)).toBe('NetworkPolicy nowhere/deny is there');
});

test('a finalizer stays until the object is being deleted and its port is gone', () => {
  const [name] = cluster.northbound.database.rows('Logical_Switch_Port').values();
  const going = (of: object): KubernetesObject =>
    ({ metadata: { finalizers: [FINALIZER], ...of } }) as never;
  const at = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  expect(isKeptTerminating(cluster, 'OvnEip', going({ name: 'x' }))).toMatch(/not being deleted/);
  expect(isKeptTerminating(cluster, 'OvnEip', going({ name: 'x', ...at }))).toBeUndefined();
  expect(isKeptTerminating(cluster, 'OvnEip', going({ name: name!['name'], ...at }))).toMatch(
    /port/,
  );
  const set = { name: 'pool', external_ids: ours({ ippool: 'x' }) };
  cluster.write(op.insert('Address_Set', set, UUID));
  expect(isKeptTerminating(cluster, 'IPPool', going({ name: 'x', ...at }))).toMatch(/address set/);
});

test('only the Vip of health checks may go', () => {
  const vip = (spec: object): KubernetesObject =>
    ({ metadata: { name: 'apps' }, spec: { subnet: 'apps', type: '', ...spec } }) as never;
  expect(keptVip(cluster, vip({}))).toBeUndefined();
  expect(keptVip(cluster, vip({ type: 'switch_lb_vip' }))).toMatch(/a person wants it/);
  expect(keptVip(cluster, vip({ subnet: 'data' }))).toMatch(/a person wants it/);
});

test('a pod is restarted only where it is misplaced, and somebody makes another', () => {
  const pod = (subnet: string, kind = 'ReplicaSet'): KubernetesObject =>
    ({
      metadata: {
        name: 'p',
        namespace: 'batch',
        annotations: { 'ovn.kubernetes.io/logical_switch': subnet },
        ownerReferences: [{ kind }],
      },
    }) as never;
  expect(keptRunning(cluster, pod('apps'))).toBeUndefined();
  expect(keptRunning(cluster, pod('data'))).toMatch(/where it belongs/);
  expect(keptRunning(cluster, pod('apps', 'Job'))).toMatch(/nobody would recreate/);
});
