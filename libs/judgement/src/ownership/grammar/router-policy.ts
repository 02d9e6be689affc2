import { gatewayNodes } from './kube-ovn-keys';
import type { NbRow } from './row';
import type { StringMap } from '../../world/ovn-rows';
import { columnText, valueOf } from './row';
import type { RowClaim } from './claim';
import { agrees, plausible } from './claim';
import { egressGatewayName, flatten, kindOfKeys } from './names';

interface Family {
  readonly priorities: readonly number[];
  /** The keys beside `vendor`, sorted. */
  readonly keys: string;
  readonly agrees: (match: string, ids: StringMap) => boolean;
}

const ADDRESS = '[0-9a-fA-F.:]+(?:/[0-9]+)?';
const TO = new RegExp(`^ip([46])\\.dst == ${ADDRESS}$`);
const GROUP_TO = new RegExp(`^ip([46])\\.src == \\$(\\S+)_ip\\1 && ip\\1\\.dst == ${ADDRESS}$`);
const FROM_OVERLAY = new RegExp(
  `^ip([46])\\.src == \\$\\S+\\.u2o_overlay_cidrs\\.ip\\1 && ip\\1\\.dst == ${ADDRESS}$`,
);
const FROM = new RegExp(`^ip[46]\\.src == ${ADDRESS}$`);

const to = (match: string): boolean => TO.test(match);
const from = (match: string): boolean => FROM.test(match);
const toFamily = (match: string, ids: StringMap): boolean =>
  TO.exec(match)?.[1] === valueOf(ids, 'address-family');
const fromGroup = (group: string, match: string): boolean =>
  /^ip([46])\.src == \$(\S+)_ip\1$/.exec(match)?.[2] === flatten(group);
/** From a group of the name to a block, which is not the group's. */
const groupTo = (group: string, match: string): boolean =>
  GROUP_TO.exec(match)?.[2] === flatten(group);
const within = (match: string): boolean =>
  /^ip([46])\.src == (\S+) && ip\1\.dst == \2$/.test(match);
const fromOverlay = (match: string): boolean => FROM_OVERLAY.test(match);
const names = (set: string, match: string): boolean => match.includes(`$${set}`);
const ofFamily = (match: string, ids: StringMap): boolean =>
  match.includes(`ip${valueOf(ids, 'af')}.`);

const underlay = (match: string, ids: StringMap): boolean =>
  to(match) || names(`${flatten(valueOf(ids, 'subnet'))}.u2o_exclude_ip.`, match);
/** By its nodes, where Services are not balanced by OVN (`addPolicyRouteForU2ONoLoadBalancer`). */
const withoutBalancer = (match: string, ids: StringMap): boolean =>
  groupTo(`${valueOf(ids, 'subnet')}.${valueOf(ids, 'node')}`, match);
/** Of `addPolicyRouteForU2OInterconn`, from v1.14.37, v1.15.12 and v1.16.2 on. */
const OVERLAY_ONLY = 'isU2OOverlayOnlyRoutePolicy isU2ORoutePolicy subnet';
const egress = (match: string, ids: StringMap): boolean =>
  ofFamily(match, ids) && names(egressGatewayName(valueOf(ids, 'vpc-egress-gateway')), match);

/**
 * Kube-OVN's policies: each use has its priority, its keys and its match (kube-ovn.md §3.3, and as
 * seen live).
 */
const FAMILIES: readonly Family[] = [
  { priorities: [31000], keys: 'subnet', agrees: to },
  { priorities: [31000, 29400], keys: 'isU2ORoutePolicy subnet', agrees: underlay },
  ...['', ' svcCidr'].map((cidr) => ({
    priorities: [29400],
    keys: `isU2ONoLBRoutePolicy isU2ORoutePolicy node subnet${cidr}`,
    agrees: withoutBalancer,
  })),
  { priorities: [29000], keys: 'isU2ORoutePolicy subnet', agrees: from },
  { priorities: [30050], keys: 'isU2ORoutePolicy subnet', agrees: from },
  { priorities: [30060], keys: OVERLAY_ONLY, agrees: within },
  { priorities: [29400], keys: OVERLAY_ONLY, agrees: fromOverlay },
  { priorities: [31000], keys: OVERLAY_ONLY, agrees: underlay },
  { priorities: [30000], keys: 'address-family node', agrees: toFamily },
  {
    priorities: [30000],
    keys: 'address-family isLocalDnsCache node',
    agrees: (match, ids) => names(`${flatten(`node.${valueOf(ids, 'node')}`)}_ip`, match),
  },
  { priorities: [29500], keys: 'origin', agrees: to },
  { priorities: [29250], keys: 'subnet', agrees: from },
  { priorities: [29200, 29190], keys: 'af vpc-nat-gateway', agrees: ofFamily },
  { priorities: [29150, 29100, 29090], keys: 'af vpc-egress-gateway', agrees: egress },
  {
    priorities: [29000],
    keys: 'node subnet',
    agrees: (match, ids) => fromGroup(`${valueOf(ids, 'subnet')}.${valueOf(ids, 'node')}`, match),
  },
  { priorities: [29000], keys: 'subnet', agrees: from },
];

const AGREES = agrees("its priority, keys and match are those of one of Kube-OVN's policies");
const FREE = plausible(
  'tagged, but not of a form the controller makes by itself: it may come from the spec of a Vpc',
);

export function routerPolicy(row: NbRow, ids: StringMap): RowClaim {
  const { priority } = row.object;
  const match = columnText(row, 'match');
  const kind = kindOfKeys(ids);
  if (
    FAMILIES.some(
      (it) =>
        it.keys === kind && it.priorities.includes(priority as number) && it.agrees(match, ids),
    )
  )
    return AGREES;
  // With several gateways each is a key named after its node beside `subnet`; whether the node
  // exists is checked later.
  const nodes = gatewayNodes(row);
  return nodes.length > 0 &&
    Object.keys(ids).length === nodes.length + 2 &&
    Object.hasOwn(ids, 'subnet') &&
    from(match)
    ? AGREES
    : FREE;
}
