import { object, port, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-ovn-eip-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const eip = (metadata: Record<string, unknown> = going) =>
  object('OvnEip', 'e', { metadata, spec: { externalSubnet: 'ext', v4Ip: '198.51.100.9' } });
const ext = object('Subnet', 'ext');
const tenant = object('Vpc', 'tenant');
const since = 'OvnEip e has been terminating since 2026-01-01T00:00:00Z:';

testRule(rule, {
  healthy: {
    'it is not being deleted': world(
      eip({}),
      ext,
      object('OvnFip', 'f', { spec: { ovnEip: 'e' } }),
    ),
    'nothing keeps it: it is about to go': world(
      eip({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ext,
      object('OvnFip', 'f', { spec: { ovnEip: 'e' } }),
    ),
  },
  unknown: { 'SNAT rules are not listed': world(eip(), ext).unlisted('OvnSnatRule') },
  violation: {
    'rules of all sorts still use it': {
      given: world(
        eip(),
        ext,
        tenant,
        object('OvnFip', 'f', { spec: { ovnEip: 'e' } }),
        object('OvnSnatRule', 's', { spec: { ovnEip: 'e' } }),
        object('OvnDnatRule', 'd', { spec: { ovnEip: 'e' } }),
        object('OvnFip', 'x', { spec: { ovnEip: 'other' } }),
      ),
      summary: `${since} NAT rules still use it: OvnDnatRule d, OvnFip f, OvnSnatRule s`,
      concerns: ['d'],
      noRemedy: true,
    },
    'rules have its address that name another OvnEip by now': {
      given: world(
        eip(),
        ext,
        tenant,
        object('OvnDnatRule', 'd', { spec: { ovnEip: 'new' }, status: { v4Eip: '198.51.100.9' } }),
        object('OvnFip', 'f', {
          metadata: { labels: { 'ovn.kubernetes.io/eip_v4_ip': '198.51.100.9' } },
          spec: { ovnEip: 'new' },
        }),
        object('OvnFip', 'x', { spec: { ovnEip: 'new' }, status: { v4Eip: '198.51.100.10' } }),
      ),
      summary: `${since} NAT rules still use it: OvnDnatRule d, OvnFip f`,
      noRemedy: true,
    },
    'a rule is going and its VPC still exists': {
      given: world(
        eip(),
        ext,
        tenant,
        object('OvnFip', 'f', {
          metadata: going,
          spec: { ovnEip: 'e' },
          status: { vpc: 'tenant' },
        }),
      ),
      summary: `${since} NAT rules still use it: OvnFip f`,
      noRemedy: true,
    },
    'a rule is going and cannot: its VPC went first': {
      given: world(
        eip(),
        ext,
        object('OvnFip', 'f', {
          metadata: going,
          spec: { ovnEip: 'e' },
          status: { vpc: 'tenant' },
        }),
        object('OvnSnatRule', 's', { metadata: going, spec: { ovnEip: 'e', vpc: 'tenant' } }),
      ),
      summary: `${since} NAT rules still use it: OvnFip f, OvnSnatRule s; their Vpc tenant no longer exists: with an empty Vpc of that name they can finish`,
      noRemedy: true,
    },
    'its external subnet went first': {
      given: world(eip()),
      summary: `${since} its external Subnet ext no longer exists`,
    },
    'nothing blocks it': {
      given: world(eip(), ext),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
      action: 'strip-finalizer',
    },
    'a NAT of its address is left': {
      given: world(
        object('Deployment', 'kube-system/kube-ovn-controller'),
        eip(),
        ext,
        row('NAT', '', { type: 'snat', external_ip: '198.51.100.9' }),
      ),
      summary: `${since} a NAT of its address is left: NAT NAT:`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and a NAT of its address is left': {
      given: world(
        eip(),
        ext,
        row('Logical_Router', 'tenant', { external_ids: { vendor: 'kube-ovn' } }),
        row('NAT', '', {
          uid: 'nat',
          type: 'snat',
          external_ip: '198.51.100.9',
          _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'nat' }],
        }),
      ),
      summary: `${since} a NAT of its address is left: NAT nat`,
      action: 'delete-nat',
    },
    'its port is left': {
      given: world(eip(), ext, object('Deployment', 'kube-system/kube-ovn-controller'), port('e')),
      summary: `${since} its port has not been removed: Logical_Switch_Port e`,
      noRemedy: true,
    },
    'its router port is left': {
      given: world(eip(), ext, row('Logical_Router_Port', 'e')),
      summary: `${since} its port has not been removed: Logical_Router_Port e`,
      noRemedy: true,
    },
    'it never got an address': {
      given: world(
        object('OvnEip', 'e', { metadata: going, spec: { externalSubnet: 'ext' } }),
        ext,
      ),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
      noRemedy: true,
    },
  },
});
