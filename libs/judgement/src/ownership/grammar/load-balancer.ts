import type { NbRow } from './row';
import type { StringMap } from '../../world/ovn-rows';
import { mapOf, columnText } from './row';
import type { RowClaim } from './claim';
import { agrees, contradicts, plausible } from './claim';

/** `cluster-tcp-session-loadbalancer`, `vpc-<vpc>-udp-load`, …: the six of each VPC. */
const GENERATED =
  /^(?:cluster-(tcp|udp|sctp)(?:-session)?-loadbalancer|vpc-.+-(tcp|udp|sctp)-(?:sess-)?load)$/;
/**
 * The controller sets one of these on each balancer it names itself. Its start-up migration, which
 * tags by name, does not.
 */
const OWN_OPTIONS = ['prefer_local_backend', 'affinity_timeout'] as const;

const AGREES = agrees("its name, protocol and options are those of a VPC's load balancer");
const FREE_NAME = plausible("the name is free: an OvnDnatRule's or somebody else's");
const DISAGREES = contradicts(
  "the name is that of a VPC's load balancer, its protocol or options are not",
);

export function loadBalancer(row: NbRow, _ids: StringMap): RowClaim {
  const named = GENERATED.exec(row.name);
  if (!named) return FREE_NAME;
  const options = mapOf(row, 'options');
  const protocol = columnText(row, 'protocol') || 'tcp';
  return protocol === (named[1] ?? named[2]) && OWN_OPTIONS.some((it) => Object.hasOwn(options, it))
    ? AGREES
    : DISAGREES;
}
