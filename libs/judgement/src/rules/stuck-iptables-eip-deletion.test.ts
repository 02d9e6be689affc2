import { object, pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-iptables-eip-deletion';

const going = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kubeovn.io/kube-ovn-controller'] };
const eip = (metadata: Record<string, unknown> = going) => object('IptablesEIP', 'e', { metadata, spec: { natGwDp: 'gw', externalSubnet: 'ext' } });
const gateway = (spec: Record<string, unknown> = {}) => object('VpcNatGateway', 'gw', { spec });
const ext = object('Subnet', 'ext');
const running = pod('kube-system/vpc-nat-gw-gw-0');
const since = 'IptablesEIP e has been terminating since 2026-01-01T00:00:00Z:';
const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`;

testRule(rule, {
  healthy: {
    'nobody told it to go': world(eip({}), ext, gateway()),
    'nothing keeps it: it is about to go': world(eip({ deletionTimestamp: '2026-01-01T00:00:00Z' }), ext, gateway()),
  },
  unknown: { 'pods are not listed': world(eip(), ext, gateway()).unlisted('Pod') },
  violation: {
    'the gateway has no pod': { given: world(eip(), ext, gateway()), says: `${since} gateway gw has no pod vpc-nat-gw-gw-0 in kube-system to remove it from`, concerns: ['gw'] },
    'the gateway\'s pod is in another namespace than it says': { given: world(eip(), ext, gateway({ namespace: 'edge' }), running), says: `${since} gateway gw has no pod vpc-nat-gw-gw-0 in edge to remove it from` },
    'the gateway is several pods, which have no fixed names': { given: world(eip(), ext, gateway({ replicas: 2 })), says: nothing },
    'its external subnet went first': { given: world(eip(), gateway(), running), says: `${since} its external Subnet ext no longer exists` },
    'rules of all sorts still use it': {
      given: world(eip(), ext, gateway(), running, object('IptablesFIPRule', 'f', { spec: { eip: 'e' } }), object('IptablesSnatRule', 's', { spec: { eip: 'e' } }), object('IptablesDnatRule', 'd', { spec: { eip: 'e' } }), object('IptablesDnatRule', 'x', { spec: { eip: 'other' } })),
      says: `${since} rules still use it: IptablesDnatRule d, IptablesFIPRule f, IptablesSnatRule s`,
    },
    'nothing blocks it': { given: world(eip(), ext, gateway(), running), says: nothing },
    'its gateway is gone, and nothing is left to remove it from': { given: world(eip(), ext), says: nothing },
  },
});
