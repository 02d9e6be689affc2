import { object, pod, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './switch-lb-rule-without-service';

const CONTROLLER = 'kube-system/kube-ovn-controller';
const http = { name: 'http', port: 80, protocol: 'TCP' };
const lbRule = (
  spec: Record<string, unknown> = {},
  status: Record<string, unknown> = { service: 'shop/slr-web' },
  metadata: Record<string, unknown> = {},
) =>
  object('SwitchLBRule', 'web', {
    spec: { namespace: 'shop', vip: '10.1.0.9', ports: [http], ...spec },
    status,
    metadata,
  });
const shop = (metadata: Record<string, unknown> = {}) => object('Namespace', 'shop', { metadata });
const balancer = (vip: string, protocol = 'tcp', name = `vpc-tenant-${protocol}-load`) =>
  row('Load_Balancer', name, { protocol, vips: { [vip]: '10.1.0.2:8080' } });
const deployment = (spec: Record<string, unknown> = {}) =>
  object('Deployment', CONTROLLER, { spec });
const lease = (holderIdentity: string) => object('Lease', CONTROLLER, { spec: { holderIdentity } });
const LOST =
  'SwitchLBRule web has lost its Service shop/slr-web, and no load balancer answers 10.1.0.9';

testRule(rule, {
  healthy: {
    'its Service is there': world(shop(), lbRule(), object('Service', 'shop/slr-web')),
    'it is being deleted': world(
      shop(),
      lbRule({}, undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'its Service was never made': world(shop(), lbRule({}, {})),
    'it moved, and its new Service is not made yet': world(
      shop(),
      lbRule({}, { service: 'pay/slr-web' }),
    ),
    'it names no namespace, where none can be made': world(
      lbRule({ namespace: '' }, { service: '/slr-web' }),
    ),
    'the controller has not heard of it yet: a load balancer answers': world(
      shop(),
      lbRule(),
      balancer('10.1.0.9:80'),
    ),
    'one of its addresses is answered, by whatever load balancer': world(
      shop(),
      lbRule({ vip: '10.1.0.9,fd00:0::9' }),
      balancer('[fd00::9]:80', 'tcp', 'other'),
    ),
    'it has no address, or no port': world(
      shop(),
      lbRule({ vip: '' }),
      object('SwitchLBRule', 'api', {
        spec: { namespace: 'shop', vip: '10.1.0.8', ports: [] },
        status: { service: 'shop/slr-api' },
      }),
    ),
    'its Namespace is being deleted': world(
      shop({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      lbRule(),
    ),
    'the controller leaves Services alone': world(
      shop(),
      lbRule(),
      deployment({ template: { spec: { flags: ['--enable-lb=false'] } } }),
    ),
    'nobody leads: the next start makes it': world(
      shop(),
      lbRule(),
      deployment(),
      lease(''),
      pod(`${CONTROLLER}-1`, { status: { phase: 'Running' } }),
    ),
    'no pod of the controller runs, and the last one holds the Lease': world(
      shop(),
      lbRule(),
      deployment(),
      lease('one'),
    ),
  },
  violation: {
    'its Service is gone': { given: world(shop(), lbRule()), summary: LOST },
    'its Service is gone, and the controller leads': {
      given: world(
        shop(),
        lbRule(),
        deployment(),
        lease('one'),
        pod(`${CONTROLLER}-1`, { status: { phase: 'Running' } }),
      ),
      summary: LOST,
    },
    'only another address, port or protocol is answered': {
      given: world(
        shop(),
        lbRule({ ports: [{ port: 80 }] }),
        balancer('10.1.0.8:80'),
        balancer('10.1.0.9:81', 'tcp', 'other'),
        balancer('10.1.0.9:80', 'udp'),
      ),
      summary: LOST,
    },
    'a Service of the name is in another namespace': {
      given: world(shop(), lbRule(), object('Service', 'pay/slr-web')),
      summary: LOST,
    },
    'its Namespace is gone as well': {
      given: world(lbRule()),
      summary:
        'SwitchLBRule web has lost its Service shop/slr-web, whose Namespace no longer exists, and no load balancer answers 10.1.0.9',
    },
  },
});
