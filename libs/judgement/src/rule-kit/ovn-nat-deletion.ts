import { recorded } from '../ownership/ownership';
import { natsByAddress } from '../relations/nats-by-address';
import type { Verdict } from './rule';
import { type ControllerKind, controllerGone, controllerIsGone } from './controller';
import type { Blocker } from '../kube-ovn/deletion';
import { externalAddressesOf } from '../kube-ovn/external-addresses';
import { held, describeEntity } from '../kube-ovn/deletion';
import { type Entity, type Kind, referenceTo } from '../world/entity';
import { kubectlChange, kubectlGone, kubectlThrowAway } from './kubectl';
import { withoutFinalizer } from './last-finalizer';
import { MAKES, mayHaveMade } from '../kube-ovn/made-nat';
import { stuckDeletion, type ProvenRemedy } from './stuck-deletion';
import type { View } from './view';
import { absent, absentRow, unchanged, unclaimed } from './facts';

/** What a rule about an OvnFip or OvnSnatRule reads. */
export const OVN_NAT_KINDS = ['Vpc', 'Logical_Router', 'NAT'] as const satisfies readonly Kind[];
type Consulted = View<'Vpc' | 'Logical_Router' | 'NAT' | ControllerKind>;

/**
 * The Vpc whose router has, or had, its row: the controller looks nowhere else, and without one it
 * only takes the finalizer off (source, seen with v1.15.24).
 */
export const vpcOfNatRule = ({
  object: { status },
}: Entity<'OvnFip' | 'OvnSnatRule' | 'OvnDnatRule'>): string => status?.vpc || '';

/**
 * Its Vpc was deleted first, and the router with it: the controller reads the router and gives up
 * (kube-ovn.md §7.3, row 43).
 */
export function routerBlockers(
  vpc: string,
  waiting: Entity,
  view: View<'Vpc' | 'Logical_Router'>,
): Blocker[] {
  if (
    vpc === '' ||
    view.presence('Vpc', vpc) !== 'absent' ||
    view.presence('Logical_Router', vpc) !== 'absent'
  )
    return [];
  return [
    {
      because: `its Vpc ${vpc} no longer exists, nor does the router of that name, on which the controller looks for what it made`,
      remedy: `make an empty Vpc ${vpc}, change the object so that the controller handles it anew, let it finish, and delete that Vpc (in v1.14 and v1.16 it fails even then: only its finalizer can be taken off)`,
      run: kubectlThrowAway('Vpc', vpc, {}, changedAndGone(waiting)),
    },
  ];
}

/** Has the controller handle it anew, and waits until it is gone. */
function changedAndGone(waiting: Entity): string | undefined {
  const change = kubectlChange(waiting);
  const gone = kubectlGone(waiting);
  return change === undefined || gone === undefined ? undefined : `${change} && ${gone}`;
}

/**
 * The verdict on a floating IP or SNAT rule that is being deleted. What it had in OVN is one NAT
 * for each family; when its router went first, the NAT went with it and only the finalizer is left.
 */
export function stuckOvnNat(
  rule: Entity<'OvnFip'> | Entity<'OvnSnatRule'>,
  view: Consulted,
): Verdict {
  const addresses = externalAddressesOf(rule);
  const nats = addresses
    .flatMap((it) => view.related(natsByAddress, it))
    .filter(
      ({ object: { type = '', logical_ip: logical = '' } }) =>
        mayHaveMade(rule, type, logical) && type === MAKES[rule.kind],
    );
  const vpc = vpcOfNatRule(rule);
  const blockers = (): Blocker[] => [
    ...routerBlockers(vpc, rule, view),
    ...held('its NAT has not been removed', nats),
  ];
  return stuckDeletion(rule, view, blockers, () => {
    // Without an address nobody can know which NAT is its.
    if (addresses.length === 0) return undefined;
    if (nats.length > 0)
      return controllerIsGone(view) ? removingNat(rule, nats[0]!, view) : undefined;
    const proof = addresses.map((it) => unclaimed('NAT', `external_ip, made for ${rule.name}`, it));
    const router =
      vpc !== '' &&
      view.presence('Vpc', vpc) === 'absent' &&
      view.presence('Logical_Router', vpc) === 'absent'
        ? [absent('Vpc', vpc), absentRow('Logical_Router', vpc)]
        : [];
    return withoutFinalizer(
      rule,
      view,
      [...proof, ...router],
      'without a NAT nothing of it is left in OVN; look at its OvnEip afterwards',
      router.length === 0,
    );
  });
}

/**
 * The removal of a NAT that no controller is left to do. Kube-OVN marks none: the evidence is that
 * the object it was made for records its address, and a person must confirm it.
 */
export function removingNat(
  rule: Entity<'OvnFip' | 'OvnSnatRule' | 'OvnEip'>,
  nat: Entity<'NAT'>,
  view: View<never>,
): ProvenRemedy | undefined {
  if (recorded(view.ownership(nat), describeEntity(rule)) === undefined) return undefined;
  const advice = `remove the NAT of ${describeEntity(rule)}, which is being deleted, since no Kube-OVN controller is left to do it`;
  return {
    proof: [...controllerGone, unchanged(nat)],
    remedy: { action: 'delete-nat', target: referenceTo(nat), advice },
  };
}
