import { defineRelation } from '../world/relation';

/** Gateways and their external addresses by the QoSPolicy they name, or that was given to them. */
export const qosPolicyUsers = defineRelation({
  id: 'qos-policy-users',
  kinds: ['IptablesEIP', 'VpcNatGateway'],
  keys: ({ object: { metadata, spec, status } }) =>
    [spec?.qosPolicy, status?.qosPolicy, metadata.labels?.['ovn.kubernetes.io/qos']].filter(
      (it): it is string => typeof it === 'string' && it !== '',
    ),
});
