import { operation as op } from '@ovn-steward/ovsdb';
import { portAddress } from '@ovn-steward/systems/testing/kube-ovn/addresses';
import { addressOf, rowsOf, SUBNETS } from '../cluster';
import type { Move } from './move';

const REMOVABLE = [
  'Logical_Switch_Port',
  'Port_Group',
  'Address_Set',
  'Logical_Router_Policy',
  'DHCP_Options',
  'Load_Balancer',
  'Logical_Router_Port',
  'ACL',
] as const;
const FOREIGN_KEYS = ['neutron:port_id', 'someone', 'ovn-steward.dev/protect', 'octavia:x'];

/** Somebody marks a row, or takes the marks off; a port comes up, or gets another address. */
export const change: Move = (cluster) => {
  const { random, write } = cluster;
  const table = random.pick(REMOVABLE);
  const [uuid] = random.maybe(rowsOf(cluster, table)) ?? [];
  if (uuid === undefined) return;
  const isPort = table === 'Logical_Switch_Port';
  // Seldom: where records of one cluster contradict each other, nothing is done at all.
  switch (random.chance(0.05) ? 3 : random.pick([0, 1, 2, 4] as const)) {
    case 0:
      write(
        op.mutate(table, op.byUuid(uuid), [
          ['external_ids', 'insert', op.map([[random.pick(FOREIGN_KEYS), 'x']])],
        ]),
      );
      break;
    case 1:
      write(op.mutate(table, op.byUuid(uuid), [['external_ids', 'delete', op.set(FOREIGN_KEYS)]]));
      break;
    case 2:
      if (isPort) write(op.update(table, op.byUuid(uuid), { up: random.chance(0.15) }));
      break;
    case 3: {
      const addresses = portAddress(addressOf(cluster, SUBNETS[0]));
      if (isPort) write(op.update(table, op.byUuid(uuid), { addresses }));
      break;
    }
    case 4: {
      const addresses = addressOf(cluster, SUBNETS[0]).ips[0]!;
      if (table === 'Address_Set') write(op.update(table, op.byUuid(uuid), { addresses }));
      break;
    }
  }
};

/** Somebody marks an IP object: to be kept, reserved or not, or to go. */
export const marks: Move = ({ kubernetes, random }) => {
  const object = random.maybe(kubernetes.objects('IP'));
  if (!object) return;
  const put = (metadata: object): void =>
    void kubernetes.put({
      ...object,
      metadata: { ...object.metadata, ...metadata },
    } as unknown as Parameters<typeof kubernetes.put>[0]);
  const labels = object.metadata['labels'] as Record<string, string> | undefined;
  switch (random.int(4)) {
    case 0:
      put({ annotations: { 'ovn-steward.dev/protect': 'mine' } });
      break;
    case 1:
      put({ annotations: {} });
      break;
    case 2:
      put({
        labels: {
          ...labels,
          'ovn.kubernetes.io/ip_reserved': random.chance(0.5) ? 'true' : 'false',
        },
      });
      break;
    case 3:
      if (object.metadata.deletionTimestamp === undefined && random.chance(0.4))
        put({ deletionTimestamp: '2026-01-02T00:00:00Z' });
      break;
  }
};
