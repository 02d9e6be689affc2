import type { Mutation, Raw } from './mutate';

const GROUP = 'kubeovn.io/';
/** What ran on Kube-OVN's network and what ran Kube-OVN: gone before, and with, the release. */
const RAN = [
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'VirtualMachine',
  'VirtualMachineInstance',
];

/**
 * A cluster after a Helm uninstall whose definitions went with it (kube-ovn.md §7.4): the
 * controller is gone, every object of Kube-OVN's that has a finalizer is terminating, those that
 * have none are gone, and no chassis holds a port up any more. Nodes, namespaces, Services and
 * NetworkPolicies are there as before.
 */
export function uninstalled(recording: Mutation, kinds: readonly string[]): void {
  for (const kind of RAN)
    for (const object of [...recording.all(kind)]) recording.remove(kind, keyOf(object));
  for (const kind of kinds) {
    for (const object of [...recording.all(kind)]) {
      if (!String(object.apiVersion).startsWith(GROUP)) continue;
      if ((object.metadata.finalizers ?? []).length === 0) recording.remove(kind, keyOf(object));
      else
        Object.assign(object.metadata, {
          deletionTimestamp: '2026-08-02T00:00:00Z',
          deletionGracePeriodSeconds: 0,
        });
    }
  }
  for (const row of recording.nb.rows('Logical_Switch_Port')) (row as Raw).up = [false];
}

const keyOf = ({ metadata: { namespace, name } }: Raw): string =>
  namespace ? `${namespace}/${name}` : name;

/** The tables in whose rows Kube-OVN's network lies, with the columns that hold their parts. */
const HOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Logical_Switch: { ports: 'Logical_Switch_Port', acls: 'ACL', qos_rules: 'QoS' },
  Logical_Router: {
    ports: 'Logical_Router_Port',
    policies: 'Logical_Router_Policy',
    static_routes: 'Logical_Router_Static_Route',
  },
};

/**
 * Takes out what other people put into Kube-OVN's switches and routers, and the NATs nobody
 * recorded: while such a thing is in one, it is kept, and that is tried elsewhere. What is left of
 * others has networks of its own.
 */
export function withoutGuests(recording: Mutation): void {
  const recorded = new Set(
    recording.all('OvnEip').flatMap((eip) => [eip.status?.v4Ip, eip.status?.v6Ip]),
  );
  for (const [table, columns] of Object.entries(HOLDERS)) {
    for (const holder of recording.nb.rows(table) as Raw[]) {
      if (holder.external_ids?.vendor !== 'kube-ovn') continue;
      for (const [column, kind] of Object.entries(columns))
        for (const uuid of holder[column] ?? [])
          drop(recording, kind, uuid, (row) => row.external_ids?.vendor !== 'kube-ovn');
      for (const uuid of holder.nat ?? [])
        drop(recording, 'NAT', uuid, (row) => !recorded.has(row.external_ip));
    }
  }
}

function drop(
  recording: Mutation,
  table: string,
  uuid: string,
  isGuest: (row: Raw) => boolean,
): void {
  const row = (recording.nb.rows(table) as Raw[]).find((each) => each._uuid === uuid);
  if (row && isGuest(row)) recording.nb.drop(row);
}
