import { ascendingBy } from '@ovn-steward/shared/compare';
import { type IpFamily, tryParseIp } from '@ovn-steward/shared/address';
import { egressGatewayName } from '../ownership/grammar/names';
import { rowsByGateway } from '../relations/rows-by-gateway';
import type { GATEWAY_TABLES } from '../relations/rows-by-gateway';
import { type Entity, keyOf } from '../world/entity';
import type { View } from './view';

/** A ready VpcEgressGateway as Kube-OVN serves it, with its router policies. */
export interface ServedGateway {
  /**
   * The families in which pods of the gateway have addresses: Kube-OVN writes no rows of another.
   */
  readonly families: readonly IpFamily[];
  /** What Kube-OVN calls the set of the pods it selects, as OVN makes it of the port group. */
  readonly podsSet: (family: IpFamily) => string;
  /** What Kube-OVN calls the set of its `policies`. */
  readonly sourcesSet: (family: IpFamily) => string;
  readonly policies: readonly Entity<'Logical_Router_Policy'>[];
}

/**
 * Undefined for a gateway that is not ready or is being deleted, for one without policies (another
 * finding), and where none of them names a set as releases v1.14.41, v1.15.24 and v1.17-dev do
 * (pkg/controller/vpc_egress_gateway.go): nothing shows what another release writes.
 */
export function servedGateway(
  gateway: Entity<'VpcEgressGateway'>,
  view: View<(typeof GATEWAY_TABLES)[number]>,
): ServedGateway | undefined {
  const { metadata, status } = gateway.object;
  if (metadata.deletionTimestamp !== undefined || status?.ready !== true) return undefined;
  const key = keyOf(gateway);
  const policies = view
    .related(rowsByGateway, `vpc-egress-gateway ${key}`)
    .filter((it): it is Entity<'Logical_Router_Policy'> => it.kind === 'Logical_Router_Policy')
    .sort(ascendingBy((it) => it.uid));
  const stem = egressGatewayName(key);
  if (!policies.some(({ object }) => (object.match ?? '').includes(`$${stem}`))) return undefined;
  const addresses = (status.internalIPs ?? [])
    .flatMap((it) => it.split(','))
    .map((it) => tryParseIp(it.trim())?.family);
  return {
    families: ([4, 6] as const).filter((it) => addresses.includes(it)),
    podsSet: (family) => `${stem}_ip${family}`,
    sourcesSet: (family) => `${stem}.ipv${family}`,
    policies,
  };
}
