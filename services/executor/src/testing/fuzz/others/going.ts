import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { FINALIZER, SUBNETS } from '../cluster';
import type { Move } from './move';

/** The Vip that Kube-OVN makes for the health checks of a subnet; some are of a person. */
export const vip: Move = ({ kubernetes, random }) => {
  const name = random.pick(SUBNETS);
  const address = `10.16.${random.int(250)}.${2 + random.int(250)}`;
  if (kubernetes.objects('Vip').some((it) => it.metadata.name === name)) return;
  kubernetes.put({
    kind: 'Vip',
    metadata: {
      name,
      finalizers: [FINALIZER],
      labels: { 'ovn.kubernetes.io/subnet': name, 'ovn.kubernetes.io/ip_reserved': '' },
    },
    spec: {
      subnet: name,
      namespace: '',
      type: random.chance(0.2) ? 'switch_lb_vip' : '',
      v4ip: address,
    },
    status: { v4ip: address },
  });
};

/** What is being deleted, and hangs: nothing is left of it in OVN, or something is. */
const GOING = ['Vip', 'IPPool', 'OvnEip', 'QoSPolicy'] as const;

export const going: Move = ({ kubernetes, random, write }) => {
  const kind = random.pick(GOING);
  const name = `${kind.toLowerCase()}-${random.int(2)}`;
  if (kubernetes.objects(kind).some((it) => it.metadata.name === name)) {
    // What is left of a pool, so that it may not go.
    if (kind === 'IPPool' && random.chance(0.5))
      write(
        ...add('Address_Set', random.uuid(), {
          name: `${name}.pool`,
          addresses: '10.16.0.9',
          external_ids: ours({ ippool: name }),
        }),
      );
    return;
  }
  kubernetes.put({
    kind,
    metadata: {
      name,
      finalizers: [FINALIZER],
      ...(random.chance(0.7) && { deletionTimestamp: '2026-01-02T00:00:00Z' }),
    },
    spec:
      kind === 'OvnEip'
        ? { externalSubnet: SUBNETS[2], v4Ip: `10.18.200.${random.int(200)}`, type: 'nat' }
        : kind === 'QoSPolicy'
          ? {}
          : { subnet: SUBNETS[0] },
  });
};
