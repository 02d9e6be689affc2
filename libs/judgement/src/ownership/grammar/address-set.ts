import type { NbRow } from './row';
import type { StringMap } from '../../world/ovn-rows';
import { valueOf } from './row';
import type { RowClaim } from './claim';
import { agrees, contradicts } from './claim';
import {
  egressGatewayName,
  flatten,
  kindOfKeys,
  portGroupOfSecurityGroup,
  prefixedNames,
} from './names';

type Agrees = (name: string, ids: StringMap) => boolean;

/** The name is one of the stems followed by exactly this. */
const stemAnd = (name: string, stems: readonly string[], rest: RegExp): boolean =>
  stems.some((stem) => name.startsWith(stem) && rest.test(name.slice(stem.length)));

const adminPolicy =
  (key: 'anp' | 'banp' | 'cnp'): Agrees =>
  (name, ids) => {
    const [policy = '', direction = ''] = valueOf(ids, key).split('/');
    const stems = prefixedNames(key, policy).map((it) => `${flatten(it)}.${direction}`);
    return (
      policy !== '' &&
      /^(ingress|egress)$/.test(direction) &&
      stemAnd(name, stems, /^\.\d+\.[^\s]*\.(IPv4|IPv6)$/)
    );
  };

const networkPolicy: Agrees = (name, ids) => {
  const [namespace = '', policy = '', direction = '', more] = valueOf(ids, 'np').split('/');
  if (
    namespace === '' ||
    policy === '' ||
    more !== undefined ||
    !/^(ingress|egress)$/.test(direction)
  )
    return false;
  const stems = prefixedNames('np', policy).map(
    (it) => `${flatten(`${it}.${namespace}`)}.${direction}`,
  );
  return stemAnd(name, stems, /^\.(allow|except)\.(IPv4|IPv6)\.(\d+|all)$/);
};

const egressGateway: Agrees = (name, ids) => {
  const family = valueOf(ids, 'af') || '[46]';
  return stemAnd(
    name,
    [egressGatewayName(valueOf(ids, 'vpc-egress-gateway'))],
    new RegExp(`^(\\.ipv|_ip)${/^[46]$/.test(family) ? family : '[46]'}$`),
  );
};

/** Kube-OVN's address sets by their keys (kube-ovn.md §3.4). */
const FORMS: ReadonlyMap<string, Agrees> = new Map<string, Agrees>([
  [
    'sg',
    (name, ids) =>
      stemAnd(name, [`${portGroupOfSecurityGroup(valueOf(ids, 'sg'))}.associated`], /^\.v[46]$/),
  ],
  ['np', networkPolicy],
  ['anp', adminPolicy('anp')],
  ['banp', adminPolicy('banp')],
  ['cnp', adminPolicy('cnp')],
  ['ippool', (name, ids) => name === flatten(valueOf(ids, 'ippool'))],
  [
    'isU2ORoutePolicy subnet',
    (name, ids) =>
      stemAnd(name, [`${flatten(valueOf(ids, 'subnet'))}.u2o_exclude_ip`], /^\.ip[46]$/),
  ],
  [
    'isU2OOverlayCIDRs vpc',
    (name, ids) =>
      stemAnd(name, [`${flatten(valueOf(ids, 'vpc'))}.u2o_overlay_cidrs`], /^\.ip[46]$/),
  ],
  ['af vpc-egress-gateway', egressGateway],
  ['vpc-egress-gateway', egressGateway],
]);

const AGREES = agrees('its keys reproduce its name');
const DISAGREES = contradicts('its keys do not reproduce its name');

export function addressSet(row: NbRow, ids: StringMap): RowClaim {
  return FORMS.get(kindOfKeys(ids))?.(row.name, ids) ? AGREES : DISAGREES;
}
