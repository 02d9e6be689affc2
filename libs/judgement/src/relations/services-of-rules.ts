import { isIPv4 } from 'node:net';
import { answeredAddresses, isOfRule } from '../kube-ovn/service-vips';
import { defineRelation } from '../world/relation';

/**
 * Services of SwitchLBRules and RouterLBRules that answer an IPv4 address, all under one key: only
 * for those does Kube-OVN have the health of backends checked (pkg/controller/endpoint_slice.go).
 */
export const servicesOfRules = defineRelation({
  id: 'services-of-rules',
  kinds: ['Service'],
  keys: (service) =>
    isOfRule(service) && answeredAddresses(service).some((it) => isIPv4(it)) ? ['any'] : [],
});
