import { logicalSwitch, object, pod, port } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-vip-deletion';

const going = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kube-ovn-controller'] };
const vip = (metadata: Record<string, unknown> = going, spec = {}) =>
  object('Vip', 'web', {
    metadata,
    spec: { subnet: 'apps', namespace: 'shop', type: 'switch_lb_vip', v4ip: '10.17.0.10', ...spec },
  });
const plain = vip(going, { type: '' });
const apps = object('Subnet', 'apps');
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const own = (name: string, over: Parameters<typeof port>[1] = {}) =>
  port(name, { external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'shop/web' }, ...over });
const since = 'Vip web has been terminating since 2026-01-01T00:00:00Z:';
const left = (name: string) =>
  `${since} its port has not been removed: Logical_Switch_Port ${name}`;

testRule(rule, {
  healthy: {
    'it is not being deleted': world(apps, vip({})),
    'nothing keeps it': world(apps, vip({ deletionTimestamp: '2026-01-01T00:00:00Z' })),
  },
  unknown: { 'ports are not listed': world(apps, vip()).unlisted('Logical_Switch_Port') },
  violation: {
    'nothing of it is left': {
      given: world(running, apps, vip()),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
      action: 'strip-finalizer',
    },
    'its subnet went first': {
      given: world(running, vip()),
      summary: `${since} its Subnet apps no longer exists`,
    },
    'its subnet went first, which the controller does not read for one without a type': {
      given: world(running, plain),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
      action: 'strip-finalizer',
    },
    'its port is left': {
      given: world(running, apps, logicalSwitch(), vip(), own('web')),
      summary: left('web'),
      noRemedy: true,
    },
    'its port on an attached network is left, and it has no namespace': {
      given: world(
        running,
        object('Subnet', 'apps', { spec: { provider: 'lan.shop.ovn' } }),
        logicalSwitch(),
        vip(going, { namespace: '' }),
        own('web..lan.shop.ovn', { external_ids: { vendor: 'kube-ovn', ls: 'apps' } }),
      ),
      summary: left('web..lan.shop.ovn'),
      noRemedy: true,
    },
    'its subnet went first, and it has no namespace, so nobody knows what its port is called': {
      given: world(running, vip(going, { namespace: '' })),
      summary: `${since} its Subnet apps no longer exists`,
      noRemedy: true,
    },
    'its typed port is left': {
      given: world(running, apps, logicalSwitch(), vip(), own('web.shop')),
      summary: left('web.shop'),
      noRemedy: true,
    },
    'Kube-OVN was taken away': {
      given: world(apps, logicalSwitch(), vip(), own('web.shop')),
      summary: left('web.shop'),
      action: 'delete-logical-switch-port',
    },
    'Kube-OVN was taken away, and its virtual port is left': {
      given: world(
        apps,
        logicalSwitch(),
        plain,
        port('web', {
          type: 'virtual',
          addresses: [],
          options: { 'virtual-ip': '10.17.0.10' },
          external_ids: { vendor: 'kube-ovn', ls: 'apps' },
        }),
      ),
      summary: left('web'),
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its typed port on an attached network is left': {
      given: world(apps, logicalSwitch(), vip(), own('web.shop.lan.shop.ovn')),
      summary: left('web.shop.lan.shop.ovn'),
      action: 'delete-logical-switch-port',
    },
    'it has no type, and a halted machine of its name has a port': {
      given: world(
        apps,
        logicalSwitch(),
        plain,
        object('VirtualMachine', 'shop/web'),
        own('web.shop'),
      ),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
      action: 'strip-finalizer',
    },
    'Kube-OVN was taken away, and a halted machine may have that port': {
      given: world(
        apps,
        logicalSwitch(),
        vip(),
        object('VirtualMachine', 'shop/web'),
        own('web.shop'),
      ),
      summary: left('web.shop'),
      noRemedy: true,
    },
    'Kube-OVN was taken away, and a pod may have that port': {
      given: world(apps, logicalSwitch(), vip(), pod('shop/web'), own('web.shop')),
      summary: left('web.shop'),
      noRemedy: true,
    },
    'Kube-OVN was taken away, and machines are not listed': {
      given: world(apps, logicalSwitch(), vip(), own('web.shop')).unlisted('VirtualMachine'),
      summary: left('web.shop'),
      noRemedy: true,
    },
    'Kube-OVN was taken away, and that port has another address': {
      given: world(
        apps,
        logicalSwitch(),
        vip(),
        own('web.shop', { addresses: ['0a:00:00:00:00:01 10.17.0.99'] }),
      ),
      summary: left('web.shop'),
      noRemedy: true,
    },
    "the port of its name is not Kube-OVN's": {
      given: world(
        apps,
        logicalSwitch(),
        vip(),
        port('web', { external_ids: { 'neutron:port_name': 'x' } }),
      ),
      summary: left('web'),
      noRemedy: true,
    },
  },
});

test('where the controller stops at the missing subnet, nothing is said to finish the deletion', () => {
  const advice = (it: typeof plain) =>
    findings(rule, world(running, it)).map(({ remedy }) => remedy?.advice);
  expect(advice(vip())).toEqual([
    expect.stringMatching(/^a restart of the Kube-OVN controller does not finish the deletion;/),
  ]);
  expect(advice(plain)).toEqual([expect.stringContaining('which then finishes the deletion')]);
});
