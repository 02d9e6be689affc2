import type { NbRow } from './row';
import type { StringMap } from '../../world/ovn-rows';
import { valueOf } from './row';
import type { RowClaim } from './claim';
import { agrees, contradicts } from './claim';
import {
  egressGatewayName,
  flatten,
  kindOfKeys,
  pairOf,
  portGroupOfSecurityGroup,
  prefixedNames,
} from './names';

/** The names a group with these keys may have. */
type Names = (ids: StringMap) => readonly string[];

const one = (name: string): readonly string[] => [flatten(name)];

const adminPolicy =
  (key: 'anp' | 'banp' | 'cnp'): Names =>
  (ids) =>
    prefixedNames(key, valueOf(ids, key)).map(flatten);

/** Kube-OVN's port groups by their keys (kube-ovn.md §3.4). */
const NAMES: ReadonlyMap<string, Names> = new Map<string, Names>([
  [
    'sg type',
    (ids) =>
      valueOf(ids, 'type') === 'security_group'
        ? [portGroupOfSecurityGroup(valueOf(ids, 'sg'))]
        : [],
  ],
  ['np', (ids) => networkPolicy(valueOf(ids, 'np'))],
  [
    'node np',
    (ids) =>
      valueOf(ids, 'np') === `node/${valueOf(ids, 'node')}`
        ? one(`node.${valueOf(ids, 'node')}`)
        : [],
  ],
  [
    'node np subnet',
    (ids) =>
      valueOf(ids, 'np') === `${valueOf(ids, 'subnet')}/${valueOf(ids, 'node')}`
        ? one(`${valueOf(ids, 'subnet')}.${valueOf(ids, 'node')}`)
        : [],
  ],
  ['anp', adminPolicy('anp')],
  ['banp', adminPolicy('banp')],
  ['cnp', adminPolicy('cnp')],
  ['af vpc-egress-gateway', (ids) => [egressGatewayName(valueOf(ids, 'vpc-egress-gateway'))]],
]);

function networkPolicy(np: string): readonly string[] {
  const parts = pairOf(np);
  return parts ? prefixedNames('np', parts[1]).map((name) => flatten(`${name}.${parts[0]}`)) : [];
}

const AGREES = agrees('its keys reproduce its name');
const DISAGREES = contradicts('its keys do not reproduce its name');

export function portGroup(row: NbRow, ids: StringMap): RowClaim {
  const kind = kindOfKeys(ids);
  // A U2O group without load balancer is named `<subnet>.<node>`, but no key names the node.
  if (kind === 'lr ls u2o')
    return row.name.startsWith(`${flatten(valueOf(ids, 'ls'))}.`) ? AGREES : DISAGREES;
  return NAMES.get(kind)?.(ids).includes(row.name) ? AGREES : DISAGREES;
}
