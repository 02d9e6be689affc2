import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { alive, type Cluster, hasDeletionTimestamp } from '../cluster';
import {
  GATEWAY,
  isGatewayLeft,
  isGatewayRun,
  isServedOtherwise,
  RULE_KINDS,
  rulesOf,
  specOf,
  usersOf,
} from '../kube-ovn/nat-gateway-parts';
import { vpcOf } from '../kube-ovn/vpc-status';
import type { Ill } from './ill';

const RULE_OF = {
  IptablesFIPRule: 'stuck-iptables-fip-rule-deletion',
  IptablesSnatRule: 'stuck-iptables-snat-rule-deletion',
  IptablesDnatRule: 'stuck-iptables-dnat-rule-deletion',
} as const;

const WITHOUT_EIP = {
  IptablesFIPRule: 'iptables-fip-rule-without-eip',
  IptablesSnatRule: 'iptables-snat-rule-without-eip',
  IptablesDnatRule: 'iptables-dnat-rule-without-eip',
} as const;

const CHANGE_MISSED = {
  IptablesFIPRule: 'iptables-fip-rule-change-missed',
  IptablesSnatRule: 'iptables-snat-rule-change-missed',
  IptablesDnatRule: 'iptables-dnat-rule-change-missed',
} as const;

/**
 * What of a NAT gateway does not go. While anything of the gateway is left, or somebody uses it,
 * nobody may take a finalizer off: what it stands for may be in the gateway's pod.
 */
export function* natGatewayIlls(cluster: Cluster): Generator<Ill> {
  const isLeft = isGatewayLeft(cluster);
  const gateway = cluster.objects.get('VpcNatGateway', undefined, GATEWAY);
  if (gateway && hasDeletionTimestamp(gateway))
    yield ill('stuck-vpc-nat-gateway-deletion', gateway.metadata, isGatewayRun(cluster));
  const vpc = gateway && specOf(gateway)['vpc'];
  if (alive(gateway) && vpc !== undefined && !vpcOf(cluster, vpc)) {
    const what = `the next start deletes ${GATEWAY}, whose Vpc ${vpc} is gone`;
    yield { rule: 'nat-gateway-at-risk', uid: gateway.metadata.uid, what, expected: 'must' };
  }
  for (const kind of RULE_KINDS)
    for (const object of cluster.objects.all(kind))
      if (hasDeletionTimestamp(object)) yield ill(RULE_OF[kind], object.metadata, isLeft);
      else {
        const { uid, name } = object.metadata;
        if (isServedOtherwise(object))
          yield { rule: CHANGE_MISSED[kind], uid, what: `${name} was changed`, expected: 'must' };
        if (gateway && hasLostEip(cluster, object)) {
          const what = `${name} has an address that is nobody's`;
          yield { rule: WITHOUT_EIP[kind], uid, what, expected: 'must' };
        }
      }
  for (const eip of cluster.objects.all('IptablesEIP'))
    if (hasDeletionTimestamp(eip)) {
      const isUsed = rulesOf(cluster, eip.metadata.name).length > 0;
      yield ill('stuck-iptables-eip-deletion', eip.metadata, isLeft || isUsed);
    }
  for (const policy of cluster.objects.all('QoSPolicy'))
    if (hasDeletionTimestamp(policy))
      yield ill(
        'stuck-qos-policy-deletion',
        policy.metadata,
        usersOf(cluster, policy.metadata.name).length > 0,
      );
}

/** What was served in the gateway for an address outside that does not exist any more. */
const hasLostEip = ({ objects }: Cluster, rule: KubernetesObject): boolean =>
  (rule['status'] as { v4ip?: string } | undefined)?.v4ip !== undefined &&
  objects.get('IptablesEIP', undefined, specOf(rule)['eip'] ?? '') === undefined;

const ill = (
  rule: string,
  { uid, name }: { readonly uid: string; readonly name: string },
  isNeeded: boolean,
): Ill => ({ rule, uid, what: `${name} does not go`, expected: isNeeded ? 'report' : 'must' });
