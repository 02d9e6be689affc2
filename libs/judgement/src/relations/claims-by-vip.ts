import type { Entity } from '../world/entity';
import { defineRelation } from '../world/relation';
import { claimedVips } from '../kube-ovn/service-vips';
import { portKey, vipKey } from '../kube-ovn/vips';

type Port = { readonly port: number; readonly protocol?: string };

/**
 * What requests a load-balancer vip, by `ip|port|protocol`: Services with all their addresses, and
 * SwitchLBRules. A RouterLBRule's address is its OvnEip's, which it does not say, so it requests
 * its ports on any address.
 */
export const claimsByVip = defineRelation({
  id: 'claims-by-vip',
  kinds: ['Service', 'SwitchLBRule', 'RouterLBRule'],
  keys: (claim) => {
    if (claim.kind === 'Service') return claimedVips(claim as Entity<'Service'>);
    if (claim.kind === 'SwitchLBRule') {
      const { spec } = (claim as Entity<'SwitchLBRule'>).object;
      return keys((spec?.vip ?? '').split(','), spec?.ports ?? []);
    }
    const { spec } = (claim as Entity<'RouterLBRule'>).object;
    return (spec?.ports ?? []).map((it) => portKey(it.port, it.protocol ?? 'TCP'));
  },
});

const keys = (addresses: readonly string[], ports: readonly Port[]): string[] =>
  addresses.flatMap((ip) =>
    ports.flatMap(({ port, protocol }) => vipKey(ip, port, protocol ?? 'TCP') ?? []),
  );
