import type { SubnetReport } from '@ovn-steward/analyzer';

/** A healthy subnet of a VPC, with two addresses in use. */
export const HEALTHY_SUBNET: SubnetReport = {
  name: 'apps',
  vpc: 'blue',
  cidr: '10.17.0.0/24',
  gateway: '10.17.0.1',
  activeGateway: null,
  ready: true,
  validated: true,
  terminatingSince: null,
  namespaces: { named: ['shop'], annotated: ['shop'] },
  addresses: [{ family: 'v4', used: '2', counted: '2', held: '2', available: '251', free: '251' }],
  vlan: null,
  providerNetwork: null,
  exhaustion: { is: 'none-in-sight' },
  findings: [],
};
