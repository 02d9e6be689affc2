import { iptablesNatRulesByEip } from '../relations/iptables-nat-rules-by-eip';
import type { Blocker } from '../world/deletion';
import { held } from '../world/deletion';
import { stuckDeletion } from '../world/stuck-deletion';
import { defineRule } from './rule';

/**
 * An external address of a NAT gateway that was told to go: it waits for the rules that use it, and for the gateway's
 * pod, inside which the address must be removed (kube-ovn.md §6.6, row 58).
 */
export default defineRule({
  id: 'stuck-iptables-eip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'IptablesEIP',
  reads: ['IptablesFIPRule', 'IptablesSnatRule', 'IptablesDnatRule', 'VpcNatGateway', 'Subnet', 'Pod'],
  about: 'A NAT gateway\'s external address that does not finish its deletion: rules still use it, or the gateway\'s pod is not there to release it.',

  check: (eip, view) =>
    stuckDeletion(eip, () => {
      const { natGwDp = '', externalSubnet = '' } = eip.object.spec ?? {};
      const blockers: Blocker[] = [];
      if (externalSubnet !== '' && view.presence('Subnet', externalSubnet) === 'absent') blockers.push({ because: `its external Subnet ${externalSubnet} no longer exists` });
      const gateway = natGwDp === '' ? undefined : view.get('VpcNatGateway', natGwDp);
      const namespace = gateway?.object.spec?.namespace || eip.object.metadata.namespace || 'kube-system';
      // The gateway is a StatefulSet of that name; several replicas are a Deployment, whose pods cannot be named.
      if (gateway && (gateway.object.spec?.replicas ?? 1) <= 1 && view.presence('Pod', `${namespace}/vpc-nat-gw-${natGwDp}-0`) === 'absent') {
        blockers.push({ because: `gateway ${natGwDp} has no pod vpc-nat-gw-${natGwDp}-0 in ${namespace} to remove it from`, by: gateway });
      }
      return [...blockers, ...held('rules still use it', view.related(iptablesNatRulesByEip, eip.name))];
    }),
});
