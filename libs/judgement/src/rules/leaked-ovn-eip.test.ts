import { object, row, VENDOR } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './leaked-ovn-eip';

const LABELS = {
  'ovn.kubernetes.io/subnet': 'external',
  'ovn.kubernetes.io/ovn_eip_type': 'lrp',
  'ovn.kubernetes.io/eip_v4_ip': '198.51.100.20',
  'ovn.kubernetes.io/eip_v6_ip': '',
};
const madeBy = (...managers: string[]) => ({
  managedFields: managers.map((manager) => ({
    manager,
    fieldsV1: { 'f:spec': { 'f:externalSubnet': {} } },
  })),
});
const BY_CONTROLLER = madeBy('kube-ovn-controller');
const eip = (
  metadata: Record<string, unknown> = BY_CONTROLLER,
  spec: Record<string, unknown> = {},
  name = 'my-vpc-external',
): Built<'OvnEip'> =>
  object('OvnEip', name, {
    metadata: { labels: LABELS, ...metadata },
    spec: { externalSubnet: 'external', type: 'lrp', v4Ip: '198.51.100.20', v6Ip: '', ...spec },
  });
/** As `CreateRouterPortOp` writes the two (pkg/ovs/ovn-nb-logical_router_port.go). */
const uplink = (columns: Record<string, unknown> = {}) =>
  row('Logical_Switch_Port', 'external-my-vpc', {
    type: 'router',
    addresses: ['router'],
    options: { 'router-port': 'my-vpc-external' },
    external_ids: { ...VENDOR, ls: 'external' },
    ...columns,
  });
const router = (ids: Record<string, string> = VENDOR) =>
  row('Logical_Router', 'my-vpc', { external_ids: ids });
const routerPort = (ids: Record<string, string> = { ...VENDOR, lr: 'my-vpc' }) =>
  row('Logical_Router_Port', 'my-vpc-external', {
    mac: '0a:00:00:00:00:01',
    networks: ['198.51.100.20/24'],
    external_ids: ids,
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:my-vpc', column: 'ports' }],
  });
const vpc = (spec: Record<string, unknown> = {}, status: Record<string, unknown> = {}) =>
  object('Vpc', 'my-vpc', { spec, status: { router: 'my-vpc', ...status } });
const gone =
  'OvnEip my-vpc-external keeps 198.51.100.20 of subnet external for the router of Vpc my-vpc, which no longer exists';
const unasked =
  'OvnEip my-vpc-external keeps 198.51.100.20 of subnet external for the router of Vpc my-vpc, which is not joined to it and does not ask for it';

testRule(rule, {
  healthy: {
    'the Vpc is joined': world(eip(), vpc({ enableExternal: true }, { enableExternal: true })),
    'the Vpc asks, and no node is a gateway yet': world(eip(), vpc({ enableExternal: true })),
    'the Vpc asks no more, and is joined still': world(eip(), vpc({}, { enableExternal: true })),
    'the Vpc leaves by this subnet among others': world(
      eip(),
      vpc({ extraExternalSubnets: ['external'] }),
    ),
    'the Vpc was made a moment ago': world(eip(), object('Vpc', 'my-vpc', { spec: {} })),
    'the Vpc is being deleted': world(
      eip(),
      object('Vpc', 'my-vpc', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        status: { router: 'my-vpc' },
      }),
    ),
    'it is the default one of another name': world(eip(), vpc({}, { default: true })),
    'it is of the default VPC': world(eip(BY_CONTROLLER, {}, 'ovn-cluster-external')),
    'it is being deleted': world(
      eip({ ...BY_CONTROLLER, deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'it is for NAT': world(eip(BY_CONTROLLER, { type: 'nat' })),
    'it is of a node': world(eip(BY_CONTROLLER, { type: 'lsp' })),
    'its name is not of its subnet': world(eip(BY_CONTROLLER, { externalSubnet: 'other' })),
    'a rule that names another OvnEip by now has its address': world(
      eip(),
      object('OvnSnatRule', 's', { spec: { ovnEip: 'new' }, status: { v4Eip: '198.51.100.20' } }),
    ),
    'a rule translates to it': world(
      eip(),
      object('OvnSnatRule', 's', { spec: { ovnEip: 'my-vpc-external' } }),
    ),
    'a person made it, before its Vpc': world(eip(madeBy('kubectl-create'))),
    'a person made it, and a port is left': world(
      eip(madeBy('kubectl-create', 'kube-ovn-controller')),
      uplink(),
    ),
    'somebody applied it, and a port is left': world(
      eip({ annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '' } }),
      uplink(),
    ),
    'somebody labelled it': world(eip({ labels: { ...LABELS, team: 'net' } }), uplink()),
  },
  unknown: {
    'nobody recorded who made it, and no port is left': world(eip({})),
    'no manager has its subnet': world(eip({ managedFields: [] }), uplink()),
    'the port that is left is of another': world(
      eip({}),
      uplink({ options: { 'router-port': 'other-external' } }),
    ),
    'the port that is left is not Kube-OVN’s': world(eip({}), uplink({ external_ids: {} })),
    'a Subnet is still in the Vpc, and has its router': world(
      eip(),
      router(),
      routerPort(),
      uplink(),
      object('Subnet', 'apps', { spec: { vpc: 'my-vpc' } }),
    ),
    'the router port of its name is not Kube-OVN’s': world(eip(), routerPort({}), router()),
    'the router is not Kube-OVN’s': world(eip(), router({})),
    'the Vpc does not ask, yet is joined': world(eip(), vpc(), routerPort(), uplink()),
    'Vpcs are not listed': world(eip(), uplink()).unheardOf('Vpc'),
  },
  violation: {
    'the Vpc is gone': { given: world(eip()), summary: gone, concerns: [], noRemedy: true },
    'the Vpc is gone, the port on the external switch is left': {
      given: world(eip({}), uplink()),
      summary: gone,
      concerns: ['external-my-vpc'],
      noRemedy: true,
    },
    'the Vpc is gone, and the controller has not started since': {
      given: world(eip(), router(), routerPort(), uplink()),
      summary: gone,
      noRemedy: true,
    },
    'the Vpc asks no more, and never was joined': {
      given: world(eip(), vpc({ enableExternal: false }, { enableExternal: false })),
      summary: unasked,
      noRemedy: true,
    },
  },
});
