import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Entity } from '../world/entity';

type Scope = NonNullable<Finding['scope']>;

/**
 * By table or kind: where the subject itself says in which subnet, and in which VPC, it lies. No
 * other object is read.
 */
const PATHS: ReadonlyMap<
  string,
  { readonly subnet?: readonly Path[]; readonly vpc?: readonly Path[] }
> = new Map([
  ['Logical_Switch', { subnet: [['name']] }],
  ['Logical_Switch_Port', { subnet: [['external_ids', 'ls']] }],
  ['Logical_Router', { vpc: [['name']] }],
  ['Logical_Router_Port', { vpc: [['external_ids', 'lr']] }],
  ['Logical_Router_Policy', { subnet: [['external_ids', 'subnet']] }],
  [
    'Port_Group',
    {
      subnet: [
        ['external_ids', 'subnet'],
        ['external_ids', 'ls'],
      ],
      vpc: [['external_ids', 'lr']],
    },
  ],
  ['Address_Set', { subnet: [['external_ids', 'subnet']], vpc: [['external_ids', 'vpc']] }],
  ['ACL', { subnet: [['external_ids', 'subnet']] }],
  ['DHCP_Options', { subnet: [['external_ids', 'ls']] }],
  ['Load_Balancer_Health_Check', { subnet: [['external_ids', 'switch_lb_subnet']] }],
  ['IP', { subnet: [['spec', 'subnet']] }],
  ['Former_Address', { subnet: [['spec', 'subnet']] }],
  ['Vip', { subnet: [['spec', 'subnet']] }],
  ['Pod', { subnet: [['metadata', 'annotations', 'ovn.kubernetes.io/logical_switch']] }],
  ['Subnet', { subnet: [['metadata', 'name']], vpc: [['spec', 'vpc']] }],
  ['Vpc', { vpc: [['metadata', 'name']] }],
  ['OvnEip', { subnet: [['spec', 'externalSubnet']] }],
  ['IptablesEIP', { subnet: [['spec', 'externalSubnet']] }],
]);

type Path = readonly [string, ...string[]];

/**
 * The subnet and VPC the entity lies in, as far as it says so by itself; undefined when it does
 * not. Keys: kube-ovn.md §3.1–§3.5.
 */
export function scopeOf(entity: Entity): Scope | undefined {
  const paths = PATHS.get(entity.kind);
  if (!paths) return undefined;
  const vpc = first(entity, paths.vpc);
  const subnet = first(entity, paths.subnet);
  if (vpc === undefined && subnet === undefined) return undefined;
  return { ...(vpc === undefined ? {} : { vpc }), ...(subnet === undefined ? {} : { subnet }) };
}

function first({ object }: Entity, paths: readonly Path[] = []): string | undefined {
  for (const path of paths) {
    const found = path.reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, step)
          ? (at as Record<string, unknown>)[step]
          : undefined,
      object,
    );
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}
