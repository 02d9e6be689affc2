import { logicalSwitch, object, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-vip-deletion';

const going = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kube-ovn-controller'] };
const vip = (metadata: Record<string, unknown> = going) => object('Vip', 'web', { metadata, spec: { subnet: 'apps', namespace: 'shop', type: 'switch_lb_vip' } });
const apps = object('Subnet', 'apps');
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const own = (name: string, over: Parameters<typeof port>[1] = {}) => port(name, { external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'shop/web' }, ...over });
const since = 'Vip web has been terminating since 2026-01-01T00:00:00Z:';
const left = (name: string) => `${since} its port has not been removed: Logical_Switch_Port ${name}`;

testRule(rule, {
  healthy: { 'nobody told it to go': world(apps, vip({})), 'nothing keeps it': world(apps, vip({ deletionTimestamp: '2026-01-01T00:00:00Z' })) },
  unknown: { 'ports are not listed': world(apps, vip()).unlisted('Logical_Switch_Port') },
  violation: {
    'nothing of it is left': { given: world(running, apps, vip()), says: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`, action: 'strip-finalizer' },
    'its subnet went first': { given: world(running, vip()), says: `${since} its Subnet apps no longer exists` },
    'its port is left': { given: world(running, apps, logicalSwitch(), vip(), own('web')), says: left('web'), noRemedy: true },
    'its typed port is left': { given: world(running, apps, logicalSwitch(), vip(), own('web.shop')), says: left('web.shop'), noRemedy: true },
    'Kube-OVN was taken away': { given: world(apps, logicalSwitch(), vip(), own('web.shop')), says: left('web.shop'), action: 'delete-logical-switch-port' },
    'the port of its name is not Kube-OVN\'s': { given: world(apps, logicalSwitch(), vip(), port('web', { external_ids: { 'neutron:port_name': 'x' } })), says: left('web'), noRemedy: true },
  },
});
