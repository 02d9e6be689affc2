import type { IpFamily } from '@ovn-steward/shared/address';
import type { Entity } from '../world/entity';

/** An ACL that a Subnet requests, as its switch is to have it. */
export interface DesiredAcl {
  readonly direction: string;
  readonly priority: number;
  readonly action: string;
  /** The whole match, or the block that must be in it. */
  readonly match: string | { readonly block: string };
}

/**
 * What all priorities of a Subnet's own are below: `NodeAllowPriority` and the like of Kube-OVN's
 * pkg/util/const.go, the same from v1.12 on.
 */
const DROP = 1000;
const ALLOW = 1001;

/**
 * What Kube-OVN writes on the switch of the Subnet: each of `spec.acls` word for word, and for a
 * private one an ACL that drops what comes in and one for each allowed block of a family that the
 * Subnet has (kube-ovn.md §5; pkg/ovs/ovn-nb-acl.go, SetLogicalSwitchPrivate). Those that open it
 * to its own block and to nodes come with them. An entry of `spec.acls` that lacks a field is left
 * out: Kube-OVN refuses it.
 */
export function desiredAcls({ object: { spec } }: Entity<'Subnet'>): DesiredAcl[] {
  const own = (spec?.acls ?? []).flatMap((it) => desiredAcl(it) ?? []);
  if (spec?.private !== true) return own;
  const families = new Set((spec.cidrBlock ?? '').split(',').map(familyOf));
  const allowed = (spec.allowSubnets ?? [])
    .map((it) => it.trim())
    .filter((it) => it !== '' && families.has(familyOf(it)));
  return [
    { direction: 'to-lport', priority: DROP, action: 'drop', match: 'ip' },
    ...allowed.map((block) => ({
      direction: 'to-lport',
      priority: ALLOW,
      action: 'allow-related',
      match: { block },
    })),
    ...own,
  ];
}

/** Whether the ACL is the one that is wanted. */
export const isWantedAcl = (
  { object }: Entity<'ACL'>,
  { direction, priority, action, match }: DesiredAcl,
): boolean =>
  object.direction === direction &&
  (object.priority ?? 0) === priority &&
  object.action === action &&
  (typeof match === 'string'
    ? object.match === match
    : (object.match ?? '').split(/[\s()]+/).includes(match.block));

function desiredAcl(entry: unknown): DesiredAcl | undefined {
  const { direction, priority, action, match } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  const texts = [direction, action, match];
  return texts.every((it) => typeof it === 'string' && it !== '') && typeof priority === 'number'
    ? ({ direction, priority, action, match } as DesiredAcl)
    : undefined;
}

const familyOf = (block: string): IpFamily => (block.includes(':') ? 6 : 4);
