import { FINALIZER, type Thing } from '../../incidents/actor/objects';
import { releaseGiven } from '../provided';
import type { Rig } from '../rig';

/** An object that is being deleted, of which nothing is left in OVN. */
export type Hanging = Omit<Thing, 'metadata'> & {
  readonly name: string;
  /** That of the release unless given. */
  readonly finalizer?: string;
};

/** A Vpc that is not there. */
export const VANISHED = 'vanished';

/** That of releases before v1.13. */
const FORMER = 'kube-ovn-controller';

const ownFinalizer = (): string => (releaseGiven().startsWith('v1.12.') ? FORMER : FINALIZER);

const ip: Hanging = {
  kind: 'IP',
  name: 'hanging.shop',
  spec: {
    podName: 'hanging',
    namespace: 'shop',
    subnet: 'apps',
    podType: '',
    nodeName: 'worker-1',
    ipAddress: '10.17.3.1',
    v4IpAddress: '10.17.3.1',
    v6IpAddress: '',
    containerID: '',
    macAddress: '00:00:00:11:22:33',
    attachIps: [],
    attachMacs: [],
    attachSubnets: [],
  },
};

const vip: Hanging = {
  kind: 'Vip',
  name: 'hanging-vip',
  spec: {
    namespace: 'shop',
    subnet: 'apps',
    type: '',
    v4ip: '10.17.3.2',
    v6ip: '',
    macAddress: '',
    selector: [],
    attachSubnets: [],
  },
  status: { type: '', v4ip: '10.17.3.2', v6ip: '', mac: '00:00:00:11:22:34' },
};

const eip: Hanging = {
  kind: 'OvnEip',
  name: 'hanging-eip',
  spec: { externalSubnet: 'apps', v4Ip: '10.17.3.3', macAddress: '', type: 'nat' },
  status: {
    v4Ip: '10.17.3.3',
    macAddress: '00:00:00:11:22:35',
    type: 'nat',
    nat: '',
    ready: true,
  },
};

/** Rules whose NAT or balancer went; their status names that Vpc. */
const rulesOf = (vpc: string): readonly Hanging[] => {
  const called = (kind: string): string => `hanging-${kind}-${vpc || 'none'}`;
  const ready = vpc !== '';
  return [
    {
      kind: 'OvnFip',
      name: called('fip'),
      spec: { ovnEip: 'none', ipName: 'none', vpc },
      status: { vpc, v4Eip: '10.17.3.4', v4Ip: '10.50.0.9', ready },
    },
    {
      kind: 'OvnSnatRule',
      name: called('snat'),
      spec: { ovnEip: 'none', vpcSubnet: 'none', vpc },
      status: { vpc, v4Eip: '10.17.3.5', v4IpCidr: '10.50.9.0/24', ready },
    },
    {
      kind: 'OvnDnatRule',
      name: called('dnat'),
      spec: {
        ovnEip: 'none',
        ipName: 'none',
        vpc,
        protocol: 'tcp',
        externalPort: '80',
        internalPort: '80',
      },
      status: {
        vpc,
        v4Eip: '10.17.3.6',
        v4Ip: '10.50.0.8',
        protocol: 'tcp',
        ipName: 'none',
        externalPort: '80',
        internalPort: '80',
        ready,
      },
    },
  ];
};

const GATEWAY = { ready: true, v4ip: '10.17.3.8', natGwDp: 'vanished' };
const PORTS = { externalPort: '80', internalPort: '80', protocol: 'tcp' };

/** What a NAT gateway had that is gone. */
export const OF_GATEWAY: readonly Hanging[] = [
  {
    kind: 'IptablesEIP',
    name: 'hanging-iptables-eip',
    spec: { natGwDp: 'vanished', v4ip: '10.17.3.7', externalSubnet: 'apps' },
    status: { ready: true, ip: '10.17.3.7' },
  },
  {
    kind: 'IptablesFIPRule',
    name: 'hanging-iptables-fip',
    spec: { eip: 'none', internalIp: '10.50.0.7' },
    status: { ...GATEWAY, internalIp: '10.50.0.7' },
  },
  {
    kind: 'IptablesSnatRule',
    name: 'hanging-iptables-snat',
    spec: { eip: 'none', internalCIDR: '10.50.0.0/24' },
    status: { ...GATEWAY, internalCIDR: '10.50.0.0/24' },
  },
  {
    kind: 'IptablesDnatRule',
    name: 'hanging-iptables-dnat',
    spec: { eip: 'none', internalIp: '10.50.0.7', ...PORTS },
    status: GATEWAY,
  },
];

export const HANGING: readonly Hanging[] = [
  ip,
  vip,
  eip,
  // As releases before v1.13 leave it, and as the later ones do.
  { ...eip, name: 'hanging-former', finalizer: FORMER },
  { ...eip, name: 'hanging-later', finalizer: FINALIZER },
  ...rulesOf('blue'),
  ...rulesOf(VANISHED),
  ...rulesOf(''),
  ...OF_GATEWAY,
  {
    kind: 'QoSPolicy',
    name: 'hanging-qos',
    spec: { shared: true, bindingType: 'EIP' },
    status: { shared: true, bindingType: 'EIP' },
  },
];

/** Creates them ready, with the finalizer of the release, and deletes them. */
export async function hang({ objects }: Rig, those = HANGING): Promise<void> {
  for (const { name, finalizer = ownFinalizer(), ...one } of those) {
    const made = await objects.create({ ...one, metadata: { name, finalizers: [finalizer] } });
    // Where the status is a part of its own; that of a Vip is not, in some releases.
    if (one.status !== undefined) await objects.writeStatus({ ...made, status: one.status });
    await objects.remove({ kind: one.kind, metadata: { name } });
  }
}

/** Those that are there, by name. */
export async function leftOf({ objects }: Rig): Promise<ReadonlyMap<string, Thing>> {
  const there = new Map<string, Thing>();
  for (const { kind, name } of HANGING) {
    const is = await objects.get(kind, name);
    if (is !== undefined) there.set(name, { ...is, kind });
  }
  return there;
}

/** Changes an annotation of each that is there. */
export async function change(rig: Rig): Promise<void> {
  for (const is of (await leftOf(rig)).values()) {
    const annotations = { ...is.metadata.annotations, 'retried-at': `${Date.now()}` };
    await rig.objects.write({ ...is, metadata: { ...is.metadata, annotations } });
  }
}

/** Takes the finalizers off what is left. */
export async function free(rig: Rig): Promise<void> {
  for (const is of (await leftOf(rig)).values())
    await rig.objects.write({ ...is, metadata: { ...is.metadata, finalizers: [] } });
}
