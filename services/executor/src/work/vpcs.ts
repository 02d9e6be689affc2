import { vpcOf, vpcOfSubnet } from '@ovn-steward/judgement/kube-ovn/vpc-of';
import { Failure } from '@ovn-steward/shared/errors';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Proposal } from '../findings/proposal';

const KEEP_MS = 60_000;

/**
 * Adds the VPC to findings that name their subnet, so that its ceilings and holds count for them. A
 * finding whose subnet cannot be read stays as it is: then the VPC is not known.
 */
export function vpcsOf(
  kubernetes: Pick<Kubernetes, 'list'>,
  clock: () => number,
): (proposals: readonly Proposal[], signal: AbortSignal) => Promise<readonly Proposal[]> {
  let known: { readonly vpcs: ReadonlyMap<string, string>; readonly at: number } | undefined;
  const read = async (signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
    if (known !== undefined && clock() - known.at < KEEP_MS) return known.vpcs;
    try {
      const subnets = await kubernetes.list('Subnet', undefined, signal);
      const vpcs = new Map(
        subnets.map((subnet) => [
          subnet.metadata.name,
          vpcOfSubnet(isRecord(subnet.spec) ? subnet.spec : undefined),
        ]),
      );
      known = { vpcs, at: clock() };
      return vpcs;
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) throw error;
      return known?.vpcs ?? new Map<string, string>();
    }
  };
  return async (proposals, signal) => {
    if (!proposals.some(({ scope }) => scope?.subnet !== undefined && scope.vpc === undefined))
      return proposals;
    const vpcs = await read(signal);
    return proposals.map((it) => inVpc(it, vpcs));
  };
}

/**
 * The finding with the VPC of its subnet, where it names none itself and that is known. One that it
 * names is not replaced: it is compared with what is proven later (`letThroughAsAnother`), and what
 * differs is not acted on.
 */
function inVpc(finding: Proposal, vpcs: ReadonlyMap<string, string>): Proposal {
  const { scope } = finding;
  if (scope?.vpc !== undefined) return finding;
  const vpc = vpcOf(scope, { ofSubnet: vpcs.get(scope?.subnet ?? '') });
  return vpc === null ? finding : { ...finding, scope: { ...scope, vpc } };
}
