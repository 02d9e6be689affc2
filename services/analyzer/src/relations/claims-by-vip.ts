import type { Entity } from '../world/entity';
import { defineRelation } from '../world/relation';
import { serviceAddresses, vipKey } from '../world/vips';

/** What asks for a load-balancer vip, by `ip|port|protocol`: Services with all their addresses, and SwitchLBRules. */
export const claimsByVip = defineRelation({
  id: 'claims-by-vip',
  kinds: ['Service', 'SwitchLBRule'],
  keys: (claim) => (claim.kind === 'Service' ? ofService(claim as Entity<'Service'>) : ofRule(claim as Entity<'SwitchLBRule'>)),
});

const keys = (addresses: readonly string[], ports: readonly { port: number; protocol?: string }[]): string[] =>
  addresses.flatMap((ip) => ports.flatMap(({ port, protocol }) => vipKey(ip, port, protocol ?? 'TCP') ?? []));

const ofService = (service: Entity<'Service'>): string[] => keys(serviceAddresses(service), service.object.spec?.ports ?? []);

const ofRule = ({ object: { spec } }: Entity<'SwitchLBRule'>): string[] => keys((spec?.vip ?? '').split(','), spec?.ports ?? []);
