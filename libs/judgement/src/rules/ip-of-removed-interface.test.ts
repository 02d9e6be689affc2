import { ip, object, pod, port, servedPod, statefulSet } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './ip-of-removed-interface';

const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const LEAVING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const OF_MACHINE = { podName: 'vm', namespace: 'vms', podType: 'VirtualMachine', subnet: 'lan' };
const ofMachine = (spec = {}, over = {}) =>
  ip('vm.vms.lan.vms.ovn', { ...OF_MACHINE, ...spec }, over);
const template = (networks: unknown[], annotations: Record<string, string> = {}) => ({
  spec: { template: { metadata: { annotations }, spec: { networks } } },
});
const machine = (networks: unknown[] = [{ name: 'default', pod: {} }], annotations = {}) =>
  object('VirtualMachine', 'vms/vm', template(networks, annotations));
const multus = (networkName: string) => ({ name: 'lan', multus: { networkName } });

const GATEWAY_POD = {
  podName: 'vpc-nat-gw-gw-0',
  namespace: 'kube-system',
  podType: 'StatefulSet',
};
const ofGateway = () =>
  ip('vpc-nat-gw-gw-0.kube-system.wan.kube-system', { ...GATEWAY_POD, subnet: 'wan' });
const gatewayPod = (annotations: Record<string, string>, status = { phase: 'Running' }) =>
  pod('kube-system/vpc-nat-gw-gw-0', {
    metadata: { annotations: { 'ovn.kubernetes.io/allocated': 'true', ...annotations } },
    status,
  });
const gatewaySet = (networks: string) =>
  statefulSet('kube-system/vpc-nat-gw-gw', 1, {
    spec: { replicas: 1, template: { metadata: { annotations: { [NETWORKS]: networks } } } },
  });
const OTHER_WAN = { [NETWORKS]: 'kube-system/wan2' };
const gateway = object('VpcNatGateway', 'gw');
/**
 * So many ports that are up and have their pod that one without does not speak against the pair.
 */
const SERVED = Array.from({ length: 30 }, (_, at) => servedPod(`vms/served-${at}`)).flat();
/** A launcher with these interfaces of `vms/lan`, of which Kube-OVN says that it served some. */
const launcher = (interfaces: readonly string[], served = interfaces, status = {}) =>
  pod('vms/launcher', {
    metadata: {
      annotations: {
        'ovn.kubernetes.io/virtualmachine': 'vm',
        [NETWORKS]: JSON.stringify(
          interfaces.map((it) => ({ name: 'lan', namespace: 'vms', interface: it.slice(1) })),
        ),
        ...Object.fromEntries(
          served.map((it) => [`lan.vms.ovn${it}.kubernetes.io/allocated`, 'true']),
        ),
      },
    },
    status: { phase: 'Running', ...status },
  });
const ofSecond = () => ip('vm.vms.lan.vms.ovn.net2', OF_MACHINE);
const SAYS_SECOND =
  'IP vm.vms.lan.vms.ovn.net2 keeps 10.17.0.10 of subnet lan for VirtualMachine vms/vm, which is not attached to lan.vms.ovn.net2 any more';
const SAYS_VM =
  'IP vm.vms.lan.vms.ovn keeps 10.17.0.10 of subnet lan for VirtualMachine vms/vm, which is not attached to lan.vms.ovn any more';

testRule(rule, {
  healthy: {
    'the machine asks for it': world(ofMachine(), machine([multus('vms/lan')])),
    'the machine asks for it without a namespace': world(ofMachine(), machine([multus('lan')])),
    'the machine asks for it in its template': world(
      ofMachine(),
      machine([], { [NETWORKS]: 'lan' }),
    ),
    'it is the machine’s first network': world(
      ofMachine(),
      machine([], { 'v1.multus-cni.io/default-network': 'vms/lan' }),
    ),
    'it is one of two interfaces': world(
      ip('vm.vms.lan.vms.ovn.net1', OF_MACHINE),
      machine([multus('vms/lan')]),
    ),
    'it is one of two that its launcher has': world(
      ofSecond(),
      machine([multus('vms/lan'), multus('lan')]),
      launcher(['.net1', '.net2']),
    ),
    'its launcher has been given one of two so far': world(
      ofSecond(),
      machine([multus('vms/lan')]),
      launcher(['.net1', '.net2'], ['.net1']),
    ),
    'the machine asks for one more than its launcher has': world(
      ofSecond(),
      machine([multus('vms/lan'), multus('lan')]),
      launcher(['']),
    ),
    'another launcher of the machine has not been given as many': world(
      ofSecond(),
      machine([multus('lan')]),
      launcher(['']),
      pod('vms/target', {
        metadata: { annotations: { 'ovn.kubernetes.io/virtualmachine': 'vm', [NETWORKS]: 'lan' } },
      }),
    ),
    'its launcher is done': world(
      ofSecond(),
      machine([multus('lan')]),
      launcher([''], [''], { phase: 'Succeeded' }),
    ),
    'one of the networks cannot be read, and another is its': world(
      ofSecond(),
      machine([multus('a/b/c')]),
      launcher(['']),
    ),
    'the instance still has it': world(
      ofMachine(),
      machine(),
      object('VirtualMachineInstance', 'vms/vm', { spec: { networks: [multus('lan')] } }),
    ),
    'a launcher still has it': world(
      ofMachine(),
      machine(),
      pod('vms/launcher', {
        metadata: {
          annotations: {
            'ovn.kubernetes.io/virtualmachine': 'vm',
            'lan.vms.ovn.kubernetes.io/allocated': 'true',
          },
        },
      }),
    ),
    'there is no machine: that is another finding': world(ofMachine()),
    'the machine is being deleted': world(
      ofMachine(),
      object('VirtualMachine', 'vms/vm', { ...template([]), metadata: LEAVING }),
    ),
    'it is the machine’s default interface': world(ip('vm.vms', OF_MACHINE), machine()),
    'it is reserved': world(
      ofMachine({}, { metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } }),
      machine(),
    ),
    'somebody named it': world(
      ofMachine({ podName: 'other' }),
      object('VirtualMachine', 'vms/other', template([])),
    ),
    'its pod type is of a later Kube-OVN': world(
      ip('vpc-nat-gw-gw-0.kube-system.wan.kube-system', { ...GATEWAY_POD, podType: 'Sandbox' }),
      gatewayPod(OTHER_WAN),
    ),
    'the gateway has it': world(
      ofGateway(),
      gatewayPod({ [NETWORKS]: 'kube-system/wan' }),
      gateway,
    ),
    'the pod was given it, whatever it asks for': world(
      ofGateway(),
      gatewayPod({ ...OTHER_WAN, 'wan.kube-system.kubernetes.io/ip_address': '10.17.0.10' }),
    ),
    'the pod asks for it by its JSON form': world(
      ofGateway(),
      gatewayPod({ [NETWORKS]: '[{"name":"wan","namespace":"kube-system"}]' }),
    ),
    'the pod is being deleted': world(
      ofGateway(),
      pod('kube-system/vpc-nat-gw-gw-0', { metadata: { ...LEAVING, annotations: OTHER_WAN } }),
    ),
    'the pod is not running yet': world(ofGateway(), gatewayPod(OTHER_WAN, { phase: 'Pending' })),
    'Kube-OVN has not served the pod yet': world(
      ofGateway(),
      pod('kube-system/vpc-nat-gw-gw-0', { metadata: { annotations: OTHER_WAN } }),
    ),
    'Kube-OVN is giving the pod its address again': world(
      ofGateway(),
      gatewayPod({ ...OTHER_WAN, 'ovn.kubernetes.io/allocated': 'false' }),
    ),
    'the gateway is gone, and its set is not yet': world(
      ofGateway(),
      gatewaySet('kube-system/wan2'),
    ),
    'the gateway has no pod, and its set asks for it': world(
      ofGateway(),
      gatewaySet('kube-system/wan'),
      gateway,
    ),
    'a set that is no gateway’s has no pod: who knows what is added to it': world(
      ip('web-0.shop.wan.shop', { podType: 'StatefulSet' }),
      statefulSet('shop/web'),
    ),
    'the set of the gateway is going': world(
      ofGateway(),
      statefulSet('kube-system/vpc-nat-gw-gw', 1, { ...template([]), metadata: LEAVING }),
      gateway,
    ),
  },
  unknown: {
    'the machine has no template': world(ofMachine(), object('VirtualMachine', 'vms/vm')),
    'what the pod asks for cannot be read': world(ofGateway(), gatewayPod({ [NETWORKS]: '[{' })),
    'one entry cannot be read': world(ofGateway(), gatewayPod({ [NETWORKS]: 'wan2, a/b/c' })),
    'its port is up': world(
      ...SERVED,
      ofMachine(),
      machine(),
      port('vm.vms.lan.vms.ovn', { up: true }),
    ),
    'a floating IP leads to it': world(
      ofMachine(),
      machine(),
      object('OvnFip', 'f', { spec: { v4Ip: '10.17.0.10' } }),
    ),
    'an EIP asks for its address and was not given it': world(
      ofGateway(),
      gatewayPod(OTHER_WAN),
      object('IptablesEIP', 'e', { spec: { externalSubnet: 'wan', v4ip: '10.17.0.10' } }),
    ),
  },
  violation: {
    'the NIC was taken out of a halted machine': {
      given: world(ofMachine(), machine(), port('vm.vms.lan.vms.ovn')),
      summary: SAYS_VM,
      concerns: ['vm.vms.lan.vms.ovn'],
    },
    'the machine has another network': {
      given: world(ofMachine(), machine([multus('vms/lan2'), multus('other/lan')])),
      summary: SAYS_VM,
    },
    'the machine runs without it': {
      given: world(
        ofMachine(),
        machine(),
        object('VirtualMachineInstance', 'vms/vm', { spec: {} }),
        pod('vms/launcher', {
          metadata: { annotations: { 'ovn.kubernetes.io/virtualmachine': 'vm' } },
        }),
      ),
      summary: SAYS_VM,
    },
    'one of two interfaces of one network was taken out, and the other is called as if alone': {
      given: world(ofSecond(), machine([multus('lan')]), launcher([''])),
      summary: SAYS_SECOND,
    },
    'one of three interfaces of one network was taken out': {
      given: world(
        ofSecond(),
        machine([multus('lan'), multus('vms/lan')]),
        launcher(['.net1', '.net3']),
      ),
      summary: SAYS_SECOND,
    },
    'it was alone and two have come': {
      given: world(
        ofMachine(),
        machine([multus('lan'), multus('vms/lan')]),
        launcher(['.net1', '.net2']),
      ),
      summary: SAYS_VM,
    },
    'the gateway was given another external network': {
      given: world(ofGateway(), gatewayPod(OTHER_WAN), gateway),
      summary:
        'IP vpc-nat-gw-gw-0.kube-system.wan.kube-system keeps 10.17.0.10 of subnet wan for Pod kube-system/vpc-nat-gw-gw-0, which is not attached to wan.kube-system any more',
    },
    'the gateway’s EIP has the address as well': {
      given: world(
        ofGateway(),
        gatewayPod(OTHER_WAN),
        gateway,
        object('IptablesEIP', 'e', {
          spec: { externalSubnet: 'wan' },
          status: { ip: '10.17.0.10' },
        }),
      ),
      summary:
        'IP vpc-nat-gw-gw-0.kube-system.wan.kube-system keeps 10.17.0.10 of subnet wan for Pod kube-system/vpc-nat-gw-gw-0, which is not attached to wan.kube-system any more; IptablesEIP e uses 10.17.0.10 as well: to delete the record may free the address under it, and is safe once IptablesEIP e has another address',
    },
    'the gateway has no pod, and its set asks for another': {
      given: world(ofGateway(), gatewaySet('kube-system/wan2'), gateway),
      summary:
        'IP vpc-nat-gw-gw-0.kube-system.wan.kube-system keeps 10.17.0.10 of subnet wan for StatefulSet kube-system/vpc-nat-gw-gw, which is not attached to wan.kube-system any more',
    },
  },
});
