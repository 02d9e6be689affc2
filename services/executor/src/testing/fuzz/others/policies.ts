import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import {
  BALANCER,
  type Cluster,
  GROUPS,
  NAMESPACES,
  named,
  POLICIES,
  rowsOf,
  SERVICES,
} from '../cluster';
import { APPS, type Move } from './move';
import { podPorts } from './pods';

const address = ({ random }: Cluster): string => `10.16.${random.int(250)}.${2 + random.int(250)}`;

/** A group lists a port, or lets it go; now and then the group is Neutron's or by hand. */
export const group: Move = (cluster) => {
  const { random, write } = cluster;
  const [uuid] = random.maybe(rowsOf(cluster, 'Port_Group')) ?? [];
  const port = random.maybe(podPorts(cluster));
  if (uuid !== undefined && port !== undefined)
    write(
      op.mutate('Port_Group', op.byUuid(uuid), [
        ['ports', random.chance(0.5) ? 'insert' : 'delete', op.uuid(port)],
      ]),
    );
};

export const createPolicy: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const namespace = random.pick(NAMESPACES);
  const name = random.pick(POLICIES);
  if (random.chance(0.7))
    kubernetes.put({
      kind: 'NetworkPolicy',
      metadata: { name, namespace },
      spec: {
        podSelector: random.chance(0.3) ? {} : { matchLabels: { app: random.pick(APPS) } },
        policyTypes: ['Ingress'],
      },
    });
  const pg = `${name}.${namespace}`;
  const set = `${pg}.ingress.allow.IPv4.all`;
  const uuid = random.uuid();
  if (random.chance(0.8))
    write(
      ...add('Address_Set', random.uuid(), {
        name: set,
        addresses: address(cluster),
        external_ids: ours({ np: `${namespace}/${name}/ingress` }),
      }),
    );
  if (random.chance(0.8)) {
    const acl = random.uuid();
    write(
      ...add('Port_Group', uuid, { name: pg, external_ids: ours({ np: `${namespace}/${name}` }) }),
      ...add(
        'ACL',
        acl,
        {
          direction: 'to-lport',
          priority: 2001,
          match: `outport == @${pg} && ip4.src == $${set}`,
          action: 'allow-related',
          external_ids: ours({ parent: pg }),
        },
        { table: 'Port_Group', uuid, column: 'acls' },
      ),
    );
  }
};

export const createGroup: Move = ({ kubernetes, random, write }) => {
  const sg = random.pick(GROUPS);
  if (random.chance(0.7))
    kubernetes.put({ kind: 'SecurityGroup', metadata: { name: sg }, spec: {} });
  if (random.chance(0.8))
    write(
      ...add('Port_Group', random.uuid(), {
        name: `ovn.sg.${sg}`,
        external_ids: ours({ type: 'security_group', sg }),
      }),
    );
};

export const createService: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const [name, ip, port] = random.pick(SERVICES);
  if (random.chance(0.6))
    kubernetes.put({
      kind: 'Service',
      metadata: { name, namespace: 'shop' },
      spec: { clusterIP: ip, clusterIPs: [ip], ports: [{ port, protocol: 'TCP' }] },
    });
  const balancer = named(cluster, 'Load_Balancer', BALANCER);
  if (balancer !== undefined && random.chance(0.8))
    write(
      op.mutate('Load_Balancer', op.byUuid(balancer), [
        ['vips', 'insert', op.map([[`${ip}:${port}`, `${address(cluster)}:8080`]])],
      ]),
    );
};
