import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Instant, Row } from './instant';
import { idsOf, pairs, refers, there } from './reading';

/** A row of that table that refers to it. */
const userOf = (
  { northbound: { database } }: Instant,
  uuid: string,
  columns: readonly (readonly [table: string, column: string])[],
): string | undefined => {
  for (const [table, column] of columns)
    for (const [by, row] of database.rows(table))
      if (refers(row[column], uuid)) return `${table} ${by} uses it`;
  return undefined;
};

const rowNamed = ({ northbound: { database } }: Instant, table: string, name: string) =>
  [...database.rows(table).values()].some((it) => it['name'] === name)
    ? `${table} ${name} is there`
    : undefined;

const servicesAt = ({ kubernetes }: Instant, vip: string): string | undefined => {
  const [ip = '', port = ''] = vip.split(':');
  const service = kubernetes.objects('Service').find((object) => {
    const spec = object['spec'] as { clusterIP?: string; ports?: { port: number }[] } | undefined;
    return (
      spec?.clusterIP === ip && spec.ports?.some((each) => String(each.port) === port) === true
    );
  });
  return service && `Service ${service.metadata.name} asks for it`;
};

/** A balancer of a VPC that is no more; no router and no switch uses it. */
export function keptVpcBalancer(instant: Instant, uuid: string, row: Row): string | undefined {
  const vpc = /^vpc-(.+)-tcp-load$/.exec(String(row['name']))?.[1];
  if (vpc === undefined) return 'the balancer of a living VPC';
  return (
    there(instant, 'Vpc', undefined, vpc) ??
    userOf(instant, uuid, [
      ['Logical_Router', 'load_balancer'],
      ['Logical_Switch', 'load_balancer'],
    ])
  );
}

/**
 * An entry of a balancer: an address nobody asks for, or a backend to which nothing is sent and
 * whose port is gone.
 */
export function keptEntry(
  instant: Instant,
  row: Row,
  { column, key }: NonNullable<Reference['part']>,
): string | undefined {
  if (column === 'vips') return servicesAt(instant, key);
  if (column !== 'ip_port_mappings') return `column ${column} is nobody's to change`;
  const [port = ''] = (pairs(row[column])[key] ?? '').split(':');
  const isBackend = Object.values(pairs(row['vips'])).some((it) =>
    it.split(',').some((each) => each.startsWith(`${key}:`)),
  );
  return (
    (isBackend ? 'an address of the balancer sends to it' : undefined) ??
    rowNamed(instant, 'Logical_Switch_Port', port) ??
    there(instant, 'IP', undefined, port)
  );
}

/** Rows that only few clusters have. */
export const RARE_ROWS: Readonly<
  Record<string, (instant: Instant, uuid: string, row: Row) => string | undefined>
> = {
  BFD(instant, uuid, row) {
    const [namespace = '', name = ''] = (idsOf(row)['vpc-egress-gateway'] ?? '').split('/');
    if (name === '') return 'it does not say whose it is';
    return (
      there(instant, 'VpcEgressGateway', namespace, name) ??
      userOf(instant, uuid, [
        ['Logical_Router_Static_Route', 'bfd'],
        ['Logical_Router_Policy', 'bfd_sessions'],
      ])
    );
  },
  HA_Chassis_Group(instant, uuid, row) {
    const vpc = String(row['name']).slice('bfd@'.length);
    return (
      there(instant, 'Vpc', undefined, vpc) ??
      rowNamed(instant, 'Logical_Router', vpc) ??
      userOf(instant, uuid, [
        ['Logical_Router_Port', 'ha_chassis_group'],
        ['Logical_Switch_Port', 'ha_chassis_group'],
      ])
    );
  },
  Meter(instant, _uuid, row) {
    const name = String(row['name']);
    const group = name.slice(0, -'_to-lport_meter'.length);
    const at = group.lastIndexOf('.');
    const acl = [...instant.northbound.database.rows('ACL')].find(([, it]) => it['meter'] === name);
    return (
      rowNamed(instant, 'Port_Group', group) ??
      there(instant, 'NetworkPolicy', group.slice(at + 1), group.slice(0, at)) ??
      (acl && `ACL ${acl[0]} names it`)
    );
  },
  Load_Balancer_Health_Check(instant, uuid, row) {
    const holder = [...instant.northbound.database.rows('Load_Balancer').values()].find((it) =>
      refers(it['health_check'], uuid),
    );
    const vip = String(row['vip']);
    return Object.hasOwn(pairs(holder?.['vips']), vip)
      ? 'its balancer has that address'
      : servicesAt(instant, vip);
  },
};
