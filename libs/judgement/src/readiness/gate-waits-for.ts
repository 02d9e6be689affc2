import { GATE, SUBNET_LABEL } from '@ovn-steward/shared/pod-gate';
import { SUBNET_ANNOTATION } from '../kube-ovn/namespace-subnets';
import { entriesOf, textPartOf } from './part-of';
import { subnetWaitsFor, type SubnetSeen } from './subnet-waits-for';

/**
 * What was read of a pod with our gate and of what it needs, each as the API server gives it;
 * undefined for what is not there.
 */
export interface GatedPodSeen {
  readonly pod: unknown;
  readonly namespace: NonNullable<SubnetSeen['namespace']>;
  /** The Subnet that `desiredSubnet` names. */
  readonly subnet: unknown;
  /** The Vpc that `vpcNameOf` names. */
  readonly vpc: unknown;
}

/** Where our gate stands among the pod's; -1 for none. */
export const gateAt = (pod: unknown): number =>
  entriesOf(pod, 'spec', 'schedulingGates').findIndex((it) => textPartOf(it, 'name') === GATE);

/**
 * The subnet the pod is held for, by its own label or its namespace's; undefined when neither says.
 */
export const desiredSubnet = (pod: unknown, namespace: unknown): string | undefined =>
  ownLabel(pod) ?? textPartOf(namespace, 'metadata', 'labels', SUBNET_LABEL);

/**
 * Whether the pod itself names the subnet, twice: such a pod does not depend on the subnet of its
 * namespace.
 */
export const isChosen = (pod: unknown): boolean =>
  ownLabel(pod) !== undefined &&
  ownLabel(pod) === textPartOf(pod, 'metadata', 'annotations', SUBNET_ANNOTATION);

/**
 * What a pod with our gate still waits for, in short phrases; none when the gate is to be lifted.
 */
export function gateWaitsFor({ pod, namespace, subnet, vpc }: GatedPodSeen): readonly string[] {
  const desired = desiredSubnet(pod, namespace.object);
  if (desired === undefined)
    return [`a label ${SUBNET_LABEL} on Pod or Namespace ${namespace.name} that names its subnet`];
  const given = textPartOf(pod, 'metadata', 'annotations', SUBNET_ANNOTATION);
  const wasGiven =
    textPartOf(pod, 'metadata', 'annotations', 'ovn.kubernetes.io/allocated') === 'true' &&
    given !== undefined &&
    given !== desired;
  if (wasGiven)
    return [
      `an address of Subnet ${desired}: it was given one of ${given}. Delete the pod, so that its controller makes another`,
    ];
  return subnetWaitsFor({ name: desired, subnet, vpc, ...(!isChosen(pod) && { namespace }) });
}

const ownLabel = (pod: unknown): string | undefined =>
  textPartOf(pod, 'metadata', 'labels', SUBNET_LABEL);
