import type { Ip } from '@ovn-steward/shared/address';
import { ipsIn } from '@ovn-steward/shared/address';
import type { Entity, Kind } from '../world/entity';

/**
 * Objects of Kube-OVN's that hold addresses of a subnet (kube-ovn.md §6.5). U2O and querier
 * addresses have IP objects too.
 */
export const HOLDER_KINDS = [
  'IP',
  'Vip',
  'IptablesEIP',
  'OvnEip',
] as const satisfies readonly Kind[];
export type HolderKind = (typeof HOLDER_KINDS)[number];

export interface Holding {
  readonly subnet: string;
  readonly addresses: readonly Ip[];
}

const SUBNET_LABEL = 'ovn.kubernetes.io/subnet';
/** Where an IptablesEIP without `externalSubnet` takes its address from (Kube-OVN's default). */
const DEFAULT_EXTERNAL = 'ovn-vpc-external-network';

/**
 * The addresses an object holds, by subnet. Status is preferred over spec: it is what was given.
 */
export function holdingsOf(entity: Entity<HolderKind>): Holding[] {
  const holding = (subnet: string | undefined, ...texts: (string | undefined)[]): Holding[] =>
    subnet ? [{ subnet, addresses: ipsIn(texts) }] : [];
  switch (entity.kind) {
    case 'IP':
      return ofIp(entity as Entity<'IP'>, holding);
    case 'Vip': {
      const { spec, status } = (entity as Entity<'Vip'>).object;
      return holding(spec?.subnet, status?.v4ip || spec?.v4ip, status?.v6ip || spec?.v6ip);
    }
    case 'IptablesEIP': {
      const { metadata, spec, status } = (entity as Entity<'IptablesEIP'>).object;
      return holding(
        metadata.labels?.[SUBNET_LABEL] || spec?.externalSubnet || DEFAULT_EXTERNAL,
        status?.ip || spec?.v4ip,
        spec?.v6ip,
      );
    }
    case 'OvnEip': {
      const { metadata, spec, status } = (entity as Entity<'OvnEip'>).object;
      return holding(
        metadata.labels?.[SUBNET_LABEL] || spec?.externalSubnet,
        status?.v4Ip || spec?.v4Ip,
        status?.v6Ip || spec?.v6Ip,
      );
    }
  }
}

/**
 * Whether it asks for addresses, and the controller has given it none: no status has one, and the
 * label is missing by which the controller counts it (kube-ovn.md §6.5). It may never be served, as
 * where somebody else has the address.
 */
export function isPendingHolder({ kind, object }: Entity<HolderKind>): boolean {
  if (kind === 'IP') return false;
  const { v4ip, v6ip, v4Ip, v6Ip, ip } = (object.status ?? {}) as Record<string, unknown>;
  const isGiven = [v4ip, v6ip, v4Ip, v6Ip, ip].some((it) => typeof it === 'string' && it !== '');
  return !isGiven && (object.metadata.labels?.[SUBNET_LABEL] ?? '') === '';
}

type Hold = (subnet: string | undefined, ...texts: (string | undefined)[]) => Holding[];

function ofIp({ object: { spec } }: Entity<'IP'>, holding: Hold): Holding[] {
  const attached = (spec?.attachSubnets ?? []).flatMap((subnet, i) =>
    holding(subnet, ...(spec?.attachIps?.[i] ?? '').split(',')),
  );
  return [...holding(spec?.subnet, spec?.v4IpAddress, spec?.v6IpAddress), ...attached];
}
