import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Entity } from '../world/entity';
import { GATEWAY_TABLES, rowsByGateway } from '../relations/rows-by-gateway';
import type { View } from './view';

/** What a rule on the sessions of gateways reads. */
export const SESSION_KINDS = ['VpcEgressGateway', 'VpcNatGateway', ...GATEWAY_TABLES] as const;

/** Kinds of gateways by the key under which their rows name them (kube-ovn.md §3.2). */
const GATEWAYS = [
  ['vpc-egress-gateway', 'VpcEgressGateway'],
  ['vpc-nat-gateway', 'VpcNatGateway'],
] as const;

export type Gateway = Entity<'VpcEgressGateway' | 'VpcNatGateway'>;

/**
 * A gateway that is ready and monitored by BFD, and its router policies of the session's family
 * that send traffic to it.
 */
export interface MonitoredGateway {
  readonly gateway: Gateway;
  readonly policies: readonly Entity<'Logical_Router_Policy'>[];
}

/**
 * Whose session it is; undefined unless Kube-OVN made it for one gateway that is alive, ready and
 * monitored by BFD.
 */
export function monitoredGateway(
  session: Entity<'BFD'>,
  view: View<(typeof SESSION_KINDS)[number]>,
): MonitoredGateway | undefined {
  const ids = session.object.external_ids ?? {};
  const named = GATEWAYS.filter(([key]) => Object.hasOwn(ids, key));
  const [only, second] = named;
  if (ids['vendor'] !== 'kube-ovn' || !only || second) return undefined;
  const gateway = view.get(only[1], ids[only[0]]!) as Gateway | undefined;
  if (!gateway || gateway.object.metadata.deletionTimestamp !== undefined) return undefined;
  const { spec, status } = gateway.object;
  if (spec?.bfd?.enabled !== true || status?.ready !== true) return undefined;
  const policies = view
    .related(rowsByGateway, `${only[0]} ${ids[only[0]]}`)
    .filter((it): it is Entity<'Logical_Router_Policy'> => it.kind === 'Logical_Router_Policy')
    .filter(
      ({ object }) => object.action === 'reroute' && object.external_ids?.['af'] === ids['af'],
    )
    .sort(ascendingBy((it) => it.uid));
  return { gateway, policies };
}

/**
 * Whether the policy sends traffic to the session's peer only while the session is up (ovn-nb(5),
 * Logical_Router_Policy).
 */
export function uses(policy: Entity<'Logical_Router_Policy'>, session: Entity<'BFD'>): boolean {
  const sessions = policy.object['bfd_sessions'];
  return Array.isArray(sessions) && sessions.includes(session.uid);
}
