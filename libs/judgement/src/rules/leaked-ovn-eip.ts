import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { subnetsByVpc } from '../relations/subnets-by-vpc';
import { absent, absentRow, present, unchanged, value } from '../rule-kit/facts';
import { fieldWriter } from '../rule-kit/field-writer';
import { usersOfOvnEip } from '../rule-kit/ovn-eip-users';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';

const OWN_LABEL = /^ovn\.kubernetes\.io\//;

/**
 * The OvnEip that Kube-OVN made for the router of a Vpc, which is deleted or not to be joined to the
 * external subnet.
 *
 * The controller makes it when a Vpc asks for the outside, before it looks for gateway nodes, and
 * deletes it when it handles that the Vpc is gone, or asks no more; the latter only where the status
 * says that it was joined, which is written last (`handleAddVpcExternalSubnet`,
 * `handleDelVpcExternalSubnet` and `handleUpdateVpcExternal`, pkg/controller/vpc.go, v1.12 to v1.17;
 * kube-ovn.md row 44). If it was away when a Vpc went, its start deletes the router and looks for
 * nothing else: the OvnEip stays, with the port on the external switch.
 *
 * A person may make one to choose the address of a router, and before the Vpc. That somebody else
 * made it shows by the managed fields, or by what the controller never writes; where a dump has no
 * managed fields, only the port that is left shows that it did serve a router.
 */
export default defineRule({
  id: 'leaked-ovn-eip',
  class: 'leak',
  severity: 'warning',
  subject: 'OvnEip',
  reads: [
    'Vpc',
    'Subnet',
    'OvnFip',
    'OvnSnatRule',
    'OvnDnatRule',
    'Logical_Router',
    'Logical_Router_Port',
    'Logical_Switch_Port',
  ],
  about:
    'An OvnEip that Kube-OVN made to join a Vpc to an external subnet, though that Vpc no longer exists or was never joined and does not ask for it any more. Nobody else can get its address, and a restart of the controller does not remove it. Delete the OvnEip, and the switch port `<subnet>-<vpc>` if it is left.',

  check(eip, view) {
    const subnet = eip.object.spec?.externalSubnet ?? '';
    const vpc = vpcOf(eip, subnet);
    if (vpc === undefined || isBeingDeleted(eip) || usersOfOvnEip(eip, view).length > 0)
      return healthy;
    const found = view.get('Vpc', vpc);
    if (found ? mayServe(found, subnet) : view.presence('Vpc', vpc) !== 'absent') return healthy;
    const left = leftPort(`${subnet}-${vpc}`, eip.name, view);
    const maker = makerOf(eip);
    if (maker === 'another') return healthy;
    const state = found
      ? `Vpc ${vpc} does not ask for subnet ${subnet}`
      : `Vpc ${vpc} does not exist`;
    if (maker === 'nobody' || (maker === 'not recorded' && !left))
      return unknown(`${state}, but nothing says that Kube-OVN made OvnEip ${eip.name}`);
    const doubt = doubtOf(eip, vpc, found, view);
    if (doubt !== undefined) return unknown(`${state}, but ${doubt}`);

    const { spec, status } = eip.object;
    const held = [spec?.v4Ip || status?.v4Ip, spec?.v6Ip || status?.v6Ip].filter(Boolean);
    return violation({
      summary: `OvnEip ${eip.name} keeps ${held.join(', ') || 'an address'} of subnet ${subnet} for the router of Vpc ${vpc}, which ${found ? 'is not joined to it and does not ask for it' : 'no longer exists'}`,
      concerns: left ? [left] : [],
      proof: [
        ...(found
          ? [present(found), absentRow('Logical_Router_Port', eip.name)]
          : [absent('Vpc', vpc)]),
        value(eip, 'spec.externalSubnet', subnet),
        unchanged(eip),
      ],
    });
  },
});

/** The Vpc by its name, `<vpc>-<external subnet>`; undefined where it is not of a router. */
function vpcOf({ name, object: { spec } }: Entity<'OvnEip'>, subnet: string): string | undefined {
  if (spec?.type !== 'lrp' || subnet === '' || !name.endsWith(`-${subnet}`)) return undefined;
  const vpc = name.slice(0, -subnet.length - 1);
  return vpc === '' || vpc === DEFAULT_VPC ? undefined : vpc;
}

/**
 * Whether the Vpc asks for the outside, or was given it. The default one takes its address up again
 * when the ConfigMap of the external gateway comes back, and keeps it meanwhile.
 */
const mayServe = (vpc: Entity<'Vpc'>, subnet: string): boolean => {
  const { spec, status } = vpc.object;
  return (
    isBeingDeleted(vpc) ||
    status === undefined ||
    status.default === true ||
    [spec, status].some(
      (it) => it?.enableExternal === true || it?.extraExternalSubnets?.includes(subnet) === true,
    )
  );
};

/** The port of the external switch to the router port of the OvnEip's name. */
const leftPort = (
  name: string,
  routerPort: string,
  view: View<'Logical_Switch_Port'>,
): Entity<'Logical_Switch_Port'> | undefined =>
  view
    .named('Logical_Switch_Port', name)
    .find(
      ({ object: { type, options, external_ids: ids } }) =>
        type === 'router' &&
        options?.['router-port'] === routerPort &&
        ids?.['vendor'] === 'kube-ovn',
    );

function makerOf(eip: Entity<'OvnEip'>): ReturnType<typeof fieldWriter> {
  const writer = fieldWriter(eip, ({ 'f:spec': spec }) =>
    Object.hasOwn(spec ?? {}, 'f:externalSubnet'),
  );
  const { labels = {}, annotations = {}, ownerReferences = [] } = eip.object.metadata;
  const isMarked =
    Object.keys(labels).some((it) => !OWN_LABEL.test(it)) ||
    Object.keys(annotations).length + ownerReferences.length > 0;
  return isMarked ? 'another' : writer;
}

/** Why the router may still use the address. */
function doubtOf(
  eip: Entity<'OvnEip'>,
  vpc: string,
  found: Entity<'Vpc'> | undefined,
  view: View<'Subnet' | 'Logical_Router' | 'Logical_Router_Port'>,
): string | undefined {
  const port = view.get('Logical_Router_Port', eip.name);
  if (port && (found || view.ownership(port).verdict !== 'candidate'))
    return `router port ${eip.name} has its address`;
  if (found) return undefined;
  if (view.has(subnetsByVpc, vpc)) return `a Subnet names that Vpc`;
  const router = view.get('Logical_Router', vpc);
  return router && view.ownership(router).owner !== 'kube-ovn'
    ? `there is a router of that name which is not Kube-OVN's`
    : undefined;
}
