import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import type { Blocker } from '../kube-ovn/deletion';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { isOlderRelease, type Release } from '../kube-ovn/release';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { subnetsByNetwork } from '../relations/subnets-by-network';
import type { Entity } from '../world/entity';
import type { ControllerKind } from './controller';
import { controllerRelease } from './controller-release';
import type { View } from './view';

/** What is taken where an IptablesEIP names none (pkg/util/net.go, GetExternalNetwork). */
const DEFAULT_NETWORK = 'ovn-vpc-external-network';

/**
 * Releases that take the name for that of a NetworkAttachmentDefinition beside the controller, and
 * search the Subnet that has its provider (pkg/controller/subnet.go,
 * findSubnetByNetworkAttachmentDefinition). Those before and after take it for the Subnet's.
 */
const BY_NETWORK: readonly [from: Release, until: Release] = [
  [1, 13, 0],
  [1, 15, 4],
];

type Consulted = View<'Subnet' | 'NetworkAttachmentDefinition' | ControllerKind>;

/**
 * Why the controller stops at the external Subnet of an IptablesEIP, which it looks up before
 * anything else, also for a deletion (pkg/controller/vpc_nat_gw_eip.go, handleUpdateIptablesEip).
 */
export function externalSubnetBlockers(eip: Entity<'IptablesEIP'>, view: Consulted): Blocker[] {
  const network = eip.object.spec?.externalSubnet || DEFAULT_NETWORK;
  const release = controllerRelease(view);
  if (release === undefined) return eitherIsGone(network, view);
  const [from, until] = BY_NETWORK;
  if (isOlderRelease(release, from) || !isOlderRelease(release, until))
    return view.presence('Subnet', network) === 'absent' ? [subnetIsGone(network)] : [];
  const beside = controllerNamespace(view);
  if (beside === undefined) return eitherIsGone(network, view);
  const definition = `${beside}/${network}`;
  if (view.presence('NetworkAttachmentDefinition', definition) === 'absent')
    return [
      {
        because: `NetworkAttachmentDefinition ${definition}, by which the controller finds its external Subnet, no longer exists`,
        remedy: `make NetworkAttachmentDefinition ${definition} again, as it was, until the IptablesEIP is gone`,
      },
    ];
  const provides = [`${network}.${beside}`, `${network}.${beside}.ovn`];
  const isServed = view
    .related(subnetsByNetwork, network)
    .some(({ object }) => provides.includes(object.spec?.provider ?? ''));
  return isServed
    ? []
    : [{ because: `no Subnet has the provider ${provides[0]} of its external network` }];
}

/** Where the release is not known: only what blocks in every one. */
const eitherIsGone = (network: string, view: Consulted): Blocker[] =>
  view.presence('Subnet', network) === 'absent' && !view.has(subnetsByNetwork, network)
    ? [subnetIsGone(network)]
    : [];

const subnetIsGone = (name: string): Blocker => ({
  because: `its external Subnet ${name} no longer exists`,
});

/** Where the controller runs, and so where it searches; undefined where several say otherwise. */
function controllerNamespace(view: Consulted): string | undefined {
  const [first, ...others] = view
    .related(kubeOvnControllers, KUBE_OVN_CONTROLLER)
    .filter((it) => it.kind === 'Deployment' && !isBeingDeleted(it))
    .map(({ namespace }) => namespace);
  return others.every((it) => it === first) ? first : undefined;
}
