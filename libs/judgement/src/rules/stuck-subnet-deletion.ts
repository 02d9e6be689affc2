import { holdersBySubnet } from '../relations/holders-by-subnet';
import { portsBySwitch } from '../relations/ports-by-switch';
import { rowsBySubnet } from '../relations/rows-by-subnet';
import { tryParseCidr } from '../kube-ovn/cidr';
import { isOlderRelease, type Release } from '../kube-ovn/release';
import { vpcOfSubnet } from '../kube-ovn/vpc-of';
import {
  CONTROLLER_KINDS,
  controllerGone,
  controllerIsGone,
  type ControllerKind,
} from '../rule-kit/controller';
import { controllerRelease } from '../rule-kit/controller-release';
import type { Blocker } from '../kube-ovn/deletion';
import { held, isTerminating } from '../kube-ovn/deletion';
import type { HolderKind } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import { referenceTo } from '../world/entity';
import { kubectlChange, kubectlEdit, kubectlThrowAway } from '../rule-kit/kubectl';
import { withoutFinalizer } from '../rule-kit/last-finalizer';
import { removingLeft } from '../rule-kit/left-row';
import { groupClaimsOf } from '../rule-kit/router-policies';
import { stuckDeletion, type ProvenRemedy } from '../rule-kit/stuck-deletion';
import type { View } from '../rule-kit/view';
import { removingWhole } from '../rule-kit/whole-row';
import { defineRule } from '../rule-kit/rule';
import { absentRow, unchanged, unclaimed } from '../rule-kit/facts';

const ENOUGH = 50;
/**
 * The controller does not wait for the address between underlay and overlay: it removes that
 * itself.
 */
const UNDERLAY_TO_OVERLAY = 'u2o-interconnection.';
const QUERIER = 'mcast-querier.';

/** The first release that stops at a Vlan whose provider network does not list it. */
const WAITS_FOR_PROVIDER: Release = [1, 16, 0];

type Consulted = View<
  | HolderKind
  | 'Logical_Switch'
  | 'Logical_Switch_Port'
  | 'Logical_Router_Port'
  | 'Logical_Router_Policy'
  | 'DHCP_Options'
  | 'Subnet'
  | 'Node'
  | 'Vlan'
  | 'ProviderNetwork'
  | ControllerKind
>;

/**
 * A subnet that is being deleted and waits: for the holders of its addresses, or, because its
 * deletion is handled only after its VLAN and its CIDR are found valid, for one of those
 * (kube-ovn.md §7.2).
 */
export default defineRule({
  id: 'stuck-subnet-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'Subnet',
  reads: [
    'IP',
    'Vip',
    'IptablesEIP',
    'OvnEip',
    'Vlan',
    'Logical_Switch',
    'Logical_Switch_Port',
    'Logical_Router_Port',
    'Logical_Router_Policy',
    'DHCP_Options',
    'Node',
  ],
  consults: [...CONTROLLER_KINDS, 'ProviderNetwork'],
  about:
    'A subnet that does not finish its deletion: addresses in it are still held, its VLAN no longer exists or conflicts with another, or its CIDR is invalid.',
  remedy: 'strip-finalizer',

  check(subnet, view) {
    const { spec } = subnet.object;
    const cidr: Blocker[] = (spec?.cidrBlock ?? '')
      .split(',')
      .filter((it) => it !== '' && !tryParseCidr(it))
      .map((block): Blocker => ({
        because: `its CIDR ${block} is invalid, and the controller checks it first`,
        remedy: 'correct spec.cidrBlock',
        run: kubectlEdit(subnet),
      }));
    const holders = holdersOf(subnet, view, ENOUGH);
    const unreached = [...ofVlan(subnet, view), ...cidr, ...invalid(subnet)];
    return stuckDeletion(
      subnet,
      view,
      () => [
        ...unreached,
        ...held('addresses of it are still held', holders),
        ...miscounted(subnet, holders.length > 0),
      ],
      () => remedyOf(subnet, holders, unreached.length > 0, view),
    );
  },
});

const holdersOf = (
  subnet: Entity<'Subnet'>,
  view: Consulted,
  most?: number,
): readonly Entity<HolderKind>[] =>
  view
    .related(holdersBySubnet, subnet.name, most)
    .filter((it) => !it.name.startsWith(UNDERLAY_TO_OVERLAY));

/**
 * Why the controller stops at the Vlan: v1.12 only while the Subnet has no VPC, all later releases
 * where there is none, and from v1.14, which has that status, where it conflicts with another
 * (pkg/controller/subnet.go, formatSubnet, validateSubnetVlan).
 */
function ofVlan(subnet: Entity<'Subnet'>, view: Consulted): Blocker[] {
  const name = subnet.object.spec?.vlan ?? '';
  if (name === '') return [];
  if (view.presence('Vlan', name) === 'absent')
    return [
      {
        because: `its Vlan ${name} no longer exists, and the controller looks for it first (from v1.13 on)`,
        remedy: `make Vlan ${name} again, as it was, until the Subnet is gone (from v1.16 on also its ProviderNetwork, where that is gone)`,
      },
    ];
  const vlan = view.get('Vlan', name);
  if (!vlan) return [];
  if (vlan.object.status?.['conflict'] !== true) return ofProvider(vlan, view);
  return [
    {
      because: `its Vlan ${name} has the id of another, and the controller refuses that first`,
      by: vlan,
      remedy: `give Vlan ${name} an id that no other Vlan of its provider network has, and annotate the Subnet`,
      run: kubectlEdit(vlan),
    },
  ];
}

/**
 * Where the release is known to wait until the provider network of a Vlan lists it, and it does
 * not. One that is made again lists none until the controller handles the Vlan.
 */
function ofProvider(vlan: Entity<'Vlan'>, view: Consulted): Blocker[] {
  const provider = String(vlan.object.spec?.['provider'] ?? '');
  const release = controllerRelease(view);
  if (provider === '' || release === undefined || isOlderRelease(release, WAITS_FOR_PROVIDER))
    return [];
  const isGone = view.presence('ProviderNetwork', provider) === 'absent';
  const found = view.get('ProviderNetwork', provider);
  if (!isGone && (!found || lists(found, vlan.name))) return [];
  const wrong = isGone
    ? `of its Vlan ${vlan.name} no longer exists`
    : `does not list its Vlan ${vlan.name}`;
  const first = isGone ? `make ProviderNetwork ${provider} again, as it was, and ` : '';
  return [
    {
      because: `ProviderNetwork ${provider} ${wrong}, and the controller waits for it first`,
      by: vlan,
      remedy: `${first}annotate Vlan ${vlan.name}`,
      ...(isGone ? {} : { run: kubectlChange(vlan) }),
    },
  ];
}

const lists = ({ object: { status } }: Entity<'ProviderNetwork'>, vlan: string): boolean => {
  const vlans = status?.['vlans'];
  return Array.isArray(vlans) && vlans.includes(vlan);
};

/** What the controller itself says against the spec (condition Validated). */
const invalid = (subnet: Entity<'Subnet'>): Blocker[] =>
  (subnet.object.status?.conditions ?? [])
    .filter((it) => it.type === 'Validated' && it.status === 'False')
    .map((condition): Blocker => ({
      because: `the controller found its spec invalid (${condition.reason ?? 'no reason given'}), and checks that first (from v1.13 on)`,
      remedy: 'correct its spec',
      run: kubectlEdit(subnet),
    }));

/** The controller waits for its own count to reach 0, whether or not anything is held. */
function miscounted(subnet: Entity<'Subnet'>, anyHeld: boolean): Blocker[] {
  const { v4usingIPs = 0, v6usingIPs = 0, u2oInterconnectionIP = '' } = subnet.object.status ?? {};
  const own = u2oInterconnectionIP === '' ? 0 : 1;
  const counted = [v4usingIPs, v6usingIPs].find((it) => Number(it) > own);
  return counted === undefined || anyHeld
    ? []
    : [
        {
          because: `its status still counts ${counted} addresses in use, though nothing holds any: creating and deleting a Vip in it makes the controller count again`,
          remedy: `create a Vip in Subnet ${subnet.name} and delete it`,
          run: kubectlThrowAway(
            'Vip',
            `recount-${subnet.name}`,
            { subnet: subnet.name },
            'sleep 5',
          ),
        },
      ];
}

/** A querier's address is nobody's and counts (kube-ovn.md §7.2). */
function removingQuerier(
  subnet: Entity<'Subnet'>,
  holders: readonly Entity<HolderKind>[],
): ProvenRemedy | undefined {
  const [querier] = holders.filter(
    ({ kind, name, object }) =>
      kind === 'IP' &&
      name === `${QUERIER}${subnet.name}` &&
      object.metadata.deletionTimestamp === undefined,
  );
  if (!querier || holders.length > 1) return undefined;
  return {
    proof: [unchanged(querier)],
    remedy: {
      action: 'delete-ip',
      target: referenceTo(querier),
      advice: `delete the IP object ${querier.name}: it is the multicast querier's, which goes with the subnet`,
    },
  };
}

function removingSwitch(
  network: Entity<'Logical_Switch'>,
  subnet: Entity<'Subnet'>,
  isGone: boolean,
  view: Consulted,
): ProvenRemedy | undefined {
  // All of them, not those few that are named: who is not going uses it.
  const isUsed =
    view.has(portsBySwitch, network.uid) || !holdersOf(subnet, view).every(isTerminating);
  return isGone && !isUsed
    ? removingWhole(
        network,
        view,
        [],
        `Subnet ${subnet.name} is being deleted, no port of its switch is used, and no Kube-OVN controller is left to do it`,
      )
    : undefined;
}

/** A policy that is also that of another subnet, whose name is the same in OVN. */
const isAlsoOfAnother = (row: Entity, subnet: Entity<'Subnet'>, view: Consulted): boolean =>
  row.kind === 'Logical_Router_Policy' &&
  groupClaimsOf(row as Entity<'Logical_Router_Policy'>, view).some(({ uid }) => uid !== subnet.uid);

/**
 * The querier first, if only it is left. Without a controller: the switch
 * when nobody uses it, then what else carries the subnet's name, and the finalizer last. With one,
 * the finalizer is its own affair, unless its checks never let it come so far.
 */
function remedyOf(
  subnet: Entity<'Subnet'>,
  holders: readonly Entity<HolderKind>[],
  isUnreached: boolean,
  view: Consulted,
): ProvenRemedy | undefined {
  const querier = removingQuerier(subnet, holders);
  if (querier) return querier;
  const isGone = controllerIsGone(view);
  if (!isGone && !isUnreached) return undefined;
  const network = view.get('Logical_Switch', subnet.name);
  if (network) return removingSwitch(network, subnet, isGone, view);
  const routerPort = view.get(
    'Logical_Router_Port',
    `${vpcOfSubnet(subnet.object.spec)}-${subnet.name}`,
  );
  const left = [...view.related(rowsBySubnet, subnet.name), ...(routerPort ? [routerPort] : [])];
  if (left.some((it) => isAlsoOfAnother(it, subnet, view))) return undefined;
  if (left.length > 0)
    return isGone
      ? removingLeft<'Logical_Router_Policy' | 'DHCP_Options' | 'Logical_Router_Port'>(
          left,
          view,
          controllerGone,
          `Subnet ${subnet.name} is being deleted and no Kube-OVN controller is left to do it`,
        )
      : undefined;
  if (holders.length > 0) return undefined;
  const proof = [
    absentRow('Logical_Switch', subnet.name),
    unclaimed('Logical_Router_Policy', 'external_ids[subnet]', subnet.name),
    unclaimed('DHCP_Options', 'external_ids[ls]', subnet.name),
  ];
  return withoutFinalizer(
    subnet,
    view,
    proof,
    'nothing of it is left in OVN and nothing has an address of it',
  );
}
