import { natsByAddress } from '../relations/nats-by-address';
import {
  CONTROLLER_KINDS,
  controllerGone,
  controllerIsGone,
  type ControllerKind,
} from '../rule-kit/controller';
import type { Blocker } from '../kube-ovn/deletion';
import { held, isTerminating } from '../kube-ovn/deletion';
import type { Entity } from '../world/entity';
import { STAYS_TAKEN, withoutFinalizer } from '../rule-kit/last-finalizer';
import { removingLeft } from '../rule-kit/left-row';
import { addressesOfOvnEip } from '../kube-ovn/external-addresses';
import { type OvnNatRuleKind, usersOfOvnEip } from '../rule-kit/ovn-eip-users';
import { removingNat } from '../rule-kit/ovn-nat-deletion';
import { type ProvenRemedy, stuckDeletion } from '../rule-kit/stuck-deletion';
import type { View } from '../rule-kit/view';
import { defineRule } from '../rule-kit/rule';
import { absentRow, unclaimed } from '../rule-kit/facts';

/**
 * An OvnEip that is being deleted and waits for the NAT rules that use it (kube-ovn.md §7.3, row
 * 43), or for the port that was made for it.
 */
export default defineRule({
  id: 'stuck-ovn-eip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'OvnEip',
  reads: [
    'OvnFip',
    'OvnSnatRule',
    'OvnDnatRule',
    'Subnet',
    'Vpc',
    'NAT',
    'Logical_Switch_Port',
    'Logical_Router_Port',
  ],
  consults: [...CONTROLLER_KINDS],
  about:
    'An external address that does not finish its deletion: floating IPs, SNAT or DNAT rules still use it, or its subnet no longer exists.',
  remedy: 'strip-finalizer',

  check(eip, view) {
    const subnet = eip.object.spec?.externalSubnet ?? '';
    const gone: Blocker[] =
      subnet !== '' && view.presence('Subnet', subnet) === 'absent'
        ? [{ because: `its external Subnet ${subnet} no longer exists` }]
        : [];
    const addresses = addressesOfOvnEip(eip);
    const rules = usersOfOvnEip(eip, view);
    const nats = rules.length > 0 ? [] : addresses.flatMap((it) => view.related(natsByAddress, it));
    // A port of a node has the name of its OvnEip, as the port of a router has (kube-ovn.md §1).
    const ports = view.named('Logical_Switch_Port', eip.name);
    const routerPort = view.get('Logical_Router_Port', eip.name);
    const left = [...ports, ...(routerPort ? [routerPort] : [])];
    const blockers = () => [
      ...gone,
      ...held('NAT rules still use it', rules),
      ...stranded(rules, view),
      ...held('its port has not been removed', left),
      ...held('a NAT of its address is left', nats).map((blocker): Blocker => ({
        ...blocker,
        remedy: 'see whether anybody needs that NAT, and remove it from its router',
      })),
    ];
    return stuckDeletion(eip, view, blockers, () =>
      rules.length > 0 || addresses.length === 0
        ? undefined
        : remedyOf(eip, { addresses, nats, left }, view),
    );
  },
});

/** The NAT first, then the port, and the finalizer last. */
function remedyOf(
  eip: Entity<'OvnEip'>,
  { addresses, nats, left }: Uses,
  view: View<'NAT' | PortKind | ControllerKind>,
): ProvenRemedy | undefined {
  const [nat] = nats;
  if (nat) return controllerIsGone(view) ? removingNat(eip, nat, view) : undefined;
  if (left.length > 0)
    return controllerIsGone(view)
      ? removingLeft<PortKind>(
          left,
          view,
          controllerGone,
          'its OvnEip is being deleted and no Kube-OVN controller is left to do it',
        )
      : undefined;
  const proof = [
    absentRow('Logical_Switch_Port', eip.name),
    absentRow('Logical_Router_Port', eip.name),
    ...addresses.map((it) => unclaimed('NAT', 'external_ip', it)),
  ];
  return withoutFinalizer(eip, view, proof, STAYS_TAKEN);
}

type PortKind = 'Logical_Switch_Port' | 'Logical_Router_Port';

/** What is left in OVN of an address. */
interface Uses {
  readonly addresses: readonly string[];
  readonly nats: readonly Entity<'NAT'>[];
  readonly left: readonly Entity<PortKind>[];
}

/**
 * Rules that cannot finish their own deletion: the router of their VPC, on which they would remove
 * their row, is deleted (row 43).
 */
function stranded(rules: readonly Entity<OvnNatRuleKind>[], view: View<'Vpc'>): Blocker[] {
  const vpcs = rules
    .filter(isTerminating)
    .flatMap(({ object: { spec, status } }) => status?.vpc || spec?.vpc || []);
  const absent = [...new Set(vpcs)].filter((it) => view.presence('Vpc', it) === 'absent').sort();
  return absent.map((vpc) => ({
    because: `their Vpc ${vpc} no longer exists: with an empty Vpc of that name they can finish`,
  }));
}
