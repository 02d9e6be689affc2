import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Json } from '@ovn-steward/ovsdb';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Instant, Row } from './oracle/instant';
import { isKeptTerminating, keptRunning, keptVip } from './oracle/rare-objects';
import { keptEntry, keptVpcBalancer, RARE_ROWS } from './oracle/rare-rows';
import { idsOf, objectOf, pairs, refers, there } from './oracle/reading';

/**
 * Keys Kube-OVN puts on rows of the generated cluster; any other is somebody else's, who has plans
 * with the row.
 */
const OWN_KEYS = new Set([
  'vendor',
  'ls',
  'lr',
  'pod',
  'np',
  'sg',
  'type',
  'subnet',
  'node',
  'address-family',
  'protocol',
  'parent',
  'af',
  'vpc-egress-gateway',
  'lrp',
  'ippool',
]);

/** Kube-OVN puts no mark on a health check: whose its balancer is, its is. */
const holderOf = ({ northbound: { database } }: Instant, uuid: string): Row =>
  [...database.rows('Load_Balancer').values()].find((it) => refers(it['health_check'], uuid)) ?? {};

const isOurs = (row: Row): boolean =>
  idsOf(row)['vendor'] === 'kube-ovn' && Object.keys(idsOf(row)).every((it) => OWN_KEYS.has(it));

/**
 * Why a thing may not be removed now; undefined when it is garbage. Written for the generated
 * cluster alone, from what its rows and objects are for, without a line of the code under test, so
 * never from what an action declares: it knows only what is drawn there, and whatever else is
 * removed is an offence.
 */
export function reasonToKeep(instant: Instant, target: Reference): string | undefined {
  if (target.source === 'kubernetes') return keptObject(instant, target);
  const row = instant.northbound.database.rows(target.kind).get(target.uid);
  if (!row) return undefined;
  return keptRow(instant, target.kind, target.uid, row, target.part);
}

/** The same of a row that need not stand any more. */
export function keptRow(
  instant: Instant,
  table: string,
  uuid: string,
  row: Row,
  part?: Reference['part'],
): string | undefined {
  if (!isOurs(table === 'Load_Balancer_Health_Check' ? holderOf(instant, uuid) : row))
    return `${table} ${uuid} is not Kube-OVN's alone: ${Object.keys(idsOf(row)).join(', ') || 'it has no key'}`;
  const judge = Object.hasOwn(ROWS, table) ? ROWS[table] : undefined;
  if (!judge) return `nothing of ${table} is ever to be removed`;
  return judge(instant, uuid, row, part) ?? foreignNeighbour(instant, table, uuid);
}

/** Somebody else's row holds it, or lists it. */
function foreignNeighbour(
  { northbound: { database } }: Instant,
  table: string,
  uuid: string,
): string | undefined {
  let holders = 0;
  for (const [name, { columns }] of database.schema.tables) {
    for (const column of columns.values()) {
      if (column.key.refTable !== table) continue;
      for (const [by, row] of database.rows(name)) {
        if (!refers(row[column.name], uuid)) continue;
        if (!isOurs(row)) return `${name} ${by}, which is not Kube-OVN's alone, refers to it`;
        if (column.key.refType === 'strong') holders += 1;
      }
    }
  }
  return holders > 1 ? 'two rows hold it' : undefined;
}

type Judge = (
  instant: Instant,
  uuid: string,
  row: Row,
  part: Reference['part'] | undefined,
) => string | undefined;

/** Whoever wants a pod's address or port. */
function workload(instant: Instant, namespace: string, name: string): string | undefined {
  const [, set, ordinal] = /^(.+)-(\d+)$/.exec(name) ?? [];
  const statefulSet =
    set === undefined ? undefined : objectOf(instant, 'StatefulSet', namespace, set);
  const replicas = (statefulSet?.['spec'] as { replicas?: number } | undefined)?.replicas ?? 0;
  return (
    there(instant, 'Pod', namespace, name) ??
    there(instant, 'VirtualMachine', namespace, name) ??
    there(instant, 'Vip', undefined, name) ??
    (statefulSet && Number(ordinal) < replicas
      ? `StatefulSet ${namespace}/${set} wants ${name}`
      : undefined)
  );
}

const isReserved = (ip: KubernetesObject | undefined): boolean =>
  (ip?.metadata['labels'] as Record<string, string> | undefined)?.[
    'ovn.kubernetes.io/ip_reserved'
  ] === 'true';

const subnetOrSwitch = (instant: Instant, name: string): string | undefined =>
  there(instant, 'Subnet', undefined, name) ??
  ([...instant.northbound.database.rows('Logical_Switch').values()].some(
    (it) => it['name'] === name,
  )
    ? `switch ${name} is there`
    : undefined);

/** Whether the Subnet is there and has no address of the family of the block. */
function hasNoMore(instant: Instant, name: string, block: string): boolean {
  const subnet = objectOf(instant, 'Subnet', undefined, name);
  const blocks = (subnet?.['spec'] as { cidrBlock?: string } | undefined)?.cidrBlock?.split(',');
  const isTerminating = subnet?.metadata.deletionTimestamp !== undefined;
  return !isTerminating && blocks?.every((it) => it.includes(':') !== block.includes(':')) === true;
}

const policyOwner = (instant: Instant, ids: Record<string, string>): string | undefined => {
  const [namespace = '', name = ''] = (ids['np'] ?? '').split('/');
  if (ids['np'] !== undefined)
    return (
      there(instant, 'NetworkPolicy', namespace, name) ?? there(instant, 'Node', undefined, name)
    );
  if (ids['ippool'] !== undefined) return there(instant, 'IPPool', undefined, ids['ippool']);
  if (ids['sg'] !== undefined) return there(instant, 'SecurityGroup', undefined, ids['sg']);
  return 'it does not say whose it is';
};

/** A row that names it in a match and stays. */
function namedInMatch(
  instant: Instant,
  word: string,
  exceptHeldBy: string | undefined,
): string | undefined {
  const { database } = instant.northbound;
  for (const [uuid, acl] of database.rows('ACL')) {
    if (!new RegExp(`[@$]${word.replace(/[.]/g, '\\.')}(?![\\w.-])`).test(String(acl['match'])))
      continue;
    const holders = [...database.rows('Port_Group')].filter(([, it]) => refers(it['acls'], uuid));
    const stays =
      holders.length === 0 ||
      holders.some(
        ([by, holder]) =>
          by !== exceptHeldBy &&
          (!isOurs(holder) ||
            policyOwner(instant, idsOf(holder)) !== undefined ||
            foreignNeighbour(instant, 'Port_Group', by) !== undefined ||
            foreignMember(instant, holder) !== undefined),
      );
    if (stays) return `ACL ${uuid}, which stays, names it`;
  }
  return undefined;
}

/** A group that filters a port of somebody else's. */
function foreignMember({ northbound: { database } }: Instant, group: Row): string | undefined {
  for (const [uuid, port] of database.rows('Logical_Switch_Port'))
    if (refers(group['ports'], uuid) && !isOurs(port))
      return `port ${uuid}, which is not Kube-OVN's alone, is in it`;
  return undefined;
}

/**
 * Why the port may not be taken out of the group: the policy of that name takes its pod, or nobody
 * says what it is for.
 */
function wantedMember(
  instant: Instant,
  group: Row,
  { column, key }: NonNullable<Reference['part']>,
): string | undefined {
  if (column !== 'ports') return `column ${column} is nobody's to change`;
  const port = instant.northbound.database.rows('Logical_Switch_Port').get(key);
  if (!port) return undefined;
  if (!isOurs(port)) return "the port is not Kube-OVN's alone";
  const [namespace = '', name = ''] = (idsOf(port)['pod'] ?? '').split('/');
  const [at = '', policy = ''] = (idsOf(group)['np'] ?? '').split('/');
  const pod = objectOf(instant, 'Pod', namespace, name);
  const np = objectOf(instant, 'NetworkPolicy', at, policy);
  if (!pod || !np) return 'without its pod or its policy nobody knows whether it belongs there';
  const { matchLabels = {} } =
    (np['spec'] as { podSelector?: { matchLabels?: Record<string, string> } } | undefined)
      ?.podSelector ?? {};
  const labels = (pod.metadata['labels'] ?? {}) as Record<string, string>;
  const isTaken =
    at === namespace && Object.entries(matchLabels).every(([label, is]) => labels[label] === is);
  return isTaken
    ? `NetworkPolicy ${at}/${policy} takes pod ${namespace}/${name}`
    : there(instant, 'VirtualMachine', namespace, name);
}

const ROWS: Readonly<Record<string, Judge>> = {
  Logical_Switch_Port(instant, uuid, row) {
    if (row['type'] !== '') return `a port of type ${String(row['type'])}`;
    if (row['up'] === true) return 'a chassis holds it up';
    const name = String(row['name']);
    const [namespace = '', pod = ''] = (idsOf(row)['pod'] ?? '').split('/');
    if (pod === '')
      return name.startsWith('node-')
        ? there(instant, 'Node', undefined, name.slice('node-'.length))
        : 'it does not say whom it serves';
    const ip = objectOf(instant, 'IP', undefined, name);
    if (isReserved(ip)) return 'its address is reserved';
    const recorded = ip?.['spec'] as { namespace?: string; podName?: string } | undefined;
    const holders = [...instant.northbound.database.rows('Logical_Switch').values()].filter((it) =>
      refers(it['ports'], uuid),
    );
    if (holders.some((it) => it['name'] !== idsOf(row)['ls']))
      return 'it lies in another switch than it says';
    return (
      workload(instant, namespace, pod) ??
      (recorded?.podName
        ? workload(instant, recorded.namespace ?? '', recorded.podName)
        : undefined)
    );
  },
  Port_Group: (instant, uuid, row, part) =>
    part
      ? wantedMember(instant, row, part)
      : (policyOwner(instant, idsOf(row)) ??
        foreignMember(instant, row) ??
        namedInMatch(instant, String(row['name']), uuid)),
  Address_Set: (instant, _uuid, row) =>
    policyOwner(instant, idsOf(row)) ?? namedInMatch(instant, String(row['name']), undefined),
  Logical_Router_Policy(instant, _uuid, row) {
    const { subnet, node } = idsOf(row);
    const owners = [
      ...(subnet === undefined ? [] : [there(instant, 'Subnet', undefined, subnet)]),
      ...(node === undefined ? [] : [there(instant, 'Node', undefined, node)]),
    ];
    return owners.length === 0
      ? 'it does not say whose it is'
      : owners.includes(undefined)
        ? undefined
        : owners[0];
  },
  /**
   * Nobody runs Kube-OVN's controller in the generated cluster: what it would have removed a person
   * may have removed.
   */
  Logical_Switch(instant, _uuid, row) {
    const used = [...instant.northbound.database.rows('Logical_Switch_Port')].find(
      ([uuid, port]) => refers(row['ports'], uuid) && !isEnd(port),
    );
    return (
      there(instant, 'Subnet', undefined, String(row['name'])) ??
      (used && `port ${String(used[1]['name'])} is in it`)
    );
  },
  DHCP_Options(instant, uuid, row) {
    const user = [...instant.northbound.database.rows('Logical_Switch_Port').values()].find((it) =>
      refers(it['dhcpv4_options'], uuid),
    );
    const subnet = idsOf(row)['ls'] ?? '';
    return (
      (hasNoMore(instant, subnet, String(row['cidr']))
        ? undefined
        : subnetOrSwitch(instant, subnet)) ??
      (user && `port ${String(user['name'])} uses it`)
    );
  },
  Logical_Router_Port(instant, _uuid, row) {
    const name = String(row['name']);
    const peer = [...instant.northbound.database.rows('Logical_Switch_Port').values()].find(
      (it) => pairs(it['options'])['router-port'] === name,
    );
    return (
      subnetOrSwitch(instant, name.slice((idsOf(row)['lr'] ?? '').length + 1)) ??
      (peer && `port ${String(peer['name'])} leads to it`)
    );
  },
  Load_Balancer: (instant, uuid, row, part) =>
    part ? keptEntry(instant, row, part) : keptVpcBalancer(instant, uuid, row),
  ...RARE_ROWS,
};

const PARTS: ReadonlySet<string> = new Set([
  'ACL',
  'Gateway_Chassis',
  'HA_Chassis',
  'Meter_Band',
  'Load_Balancer_Health_Check',
]);
/** The end of a router in a switch. */
const isEnd = (port: Row): boolean => port['type'] === 'router' && isOurs(port);

/** What goes with a garbage row of that table that alone holds it. */
export const isPart = (of: string, table: string, row: Row): boolean =>
  PARTS.has(table) || (of === 'Logical_Switch' && table === 'Logical_Switch_Port' && isEnd(row));

function keptObject(
  instant: Instant,
  { kind, namespace, name, uid, part }: Reference,
): string | undefined {
  const object = objectOf(instant, kind, namespace, name);
  if (object?.metadata.uid !== uid) return undefined;
  return keptIncarnation(instant, kind, object, part);
}

/** The same of an object that need not be there any more. */
export function keptIncarnation(
  instant: Instant,
  kind: string,
  object: KubernetesObject,
  part?: Reference['part'],
): string | undefined {
  if (kind === 'Pod') return part ? keptPod(instant, object, part) : keptRunning(instant, object);
  if (Object.hasOwn((object.metadata['annotations'] ?? {}) as object, 'ovn-steward.dev/protect'))
    return 'a person keeps it';
  if (kind !== 'IP')
    return part?.column === 'metadata.finalizers'
      ? isKeptTerminating(instant, kind, object)
      : kind === 'Vip'
        ? keptVip(instant, object)
        : `no ${kind} is ever to be removed`;
  const ports = [...instant.northbound.database.rows('Logical_Switch_Port').values()].filter(
    (it) => it['name'] === object.metadata.name,
  );
  if (part !== undefined) {
    if (part.column !== 'metadata.finalizers' || object.metadata.deletionTimestamp === undefined)
      return 'it is not being deleted';
    return ports.length > 0 ? 'its port is still there' : undefined;
  }
  if (isReserved(object)) return 'its address is reserved';
  if (ports.some((it) => it['up'] === true)) return 'a chassis holds its port up';
  const { namespace = '', podName = '' } = (object['spec'] ?? {}) as {
    namespace?: string;
    podName?: string;
  };
  return workload(instant, namespace, podName);
}

const ALLOCATED = '.kubernetes.io/allocated';

/**
 * A pod is never removed here. The mark of its network is taken from it where its port or the
 * record of its address is lost: then its controller recreates them.
 */
function keptPod(
  instant: Instant,
  { metadata: { name, namespace } }: KubernetesObject,
  part: Reference['part'],
): string | undefined {
  if (part?.column !== 'metadata.annotations' || !part.key.endsWith(ALLOCATED))
    return 'no pod is ever to be removed';
  const provider = part.key.slice(0, -ALLOCATED.length);
  const port = `${name}.${namespace}${provider === 'ovn' ? '' : `.${provider}`}`;
  const ip = objectOf(instant, 'IP', undefined, port);
  const hasPort = [...instant.northbound.database.rows('Logical_Switch_Port').values()].some(
    (it) => it['name'] === port,
  );
  return hasPort && ip !== undefined && ip.metadata.deletionTimestamp === undefined
    ? `it has its port and its record ${port}`
    : undefined;
}

/** The JSON of a column without references to rows that are gone. */
export const withoutGone = (json: unknown, isGone: (uuid: string) => boolean): unknown => {
  if (!Array.isArray(json)) return json;
  if (json[0] === 'uuid') return isGone(String(json[1])) ? ['set', []] : json;
  if (json[0] !== 'set') return json;
  const left = (json[1] as Json[]).filter(
    (it) => !(Array.isArray(it) && it[0] === 'uuid' && isGone(String(it[1]))),
  );
  return left.length === 1 ? left[0] : ['set', left];
};
