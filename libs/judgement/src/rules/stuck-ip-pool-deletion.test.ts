import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-ip-pool-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const pool = (
  status: Record<string, unknown> = { v4UsingIPs: 0 },
  metadata: Record<string, unknown> = going,
) => object('IPPool', 'pool-pay', { metadata, spec: { subnet: 'apps' }, status });
const set = row('Address_Set', 'pool.pay', {
  external_ids: { vendor: 'kube-ovn', ippool: 'pool-pay' },
});
const vpcOf = (name: string, match: string) =>
  object('Vpc', name, { spec: { policyRoutes: [{ priority: 1, match, action: 'drop' }] } });
const GONE = 'its IPPool is being deleted and no Kube-OVN controller is left to do it';
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const since = 'IPPool pool-pay has been terminating since 2026-01-01T00:00:00Z:';
const dropped =
  'nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes';
const left = `${since} its address set has not been removed: Address_Set pool.pay`;

testRule(rule, {
  healthy: { 'it is not being deleted': world(pool({ v4UsingIPs: 1 }, {})) },
  unknown: { 'rows are not read': world(pool()).unlisted('Address_Set') },
  violation: {
    'addresses of it are in use, which holds up nothing': {
      given: world(running, pool({ v4UsingIPs: '2' })),
      summary: `${since} ${dropped}`,
      action: 'strip-finalizer',
      advice: `change the object while the Kube-OVN controller runs (kubectl annotate --overwrite ippools.kubeovn.io pool-pay retried-at=$(date +%s); before v1.15 a restart does not help), which then finishes the deletion; only if it does not, remove the finalizer kubeovn.io/kube-ovn-controller: it holds no address itself`,
    },
    'its set is left': { given: world(running, pool(), set), summary: left, noRemedy: true },
    'Kube-OVN was taken away, and its set is left': {
      given: world(pool(), set),
      summary: left,
      action: 'delete-address-set',
      advice: `remove Address_Set pool.pay, since ${GONE}`,
    },
    'policy routes of Vpcs name the set': {
      given: world(
        pool(),
        set,
        ...['b', 'a'].map((name) => vpcOf(name, 'ip4.src == $pool.pay')),
        vpcOf('of-another-set', 'ip4.src == $pool.pay.v4'),
      ),
      summary: left,
      action: 'delete-address-set',
      advice: `look first at spec.policyRoutes of Vpc a, b, where a match names pool.pay; then remove Address_Set pool.pay, since ${GONE}`,
    },
    'nothing of it is left': {
      given: world(running, pool()),
      summary: `${since} ${dropped}`,
      action: 'strip-finalizer',
    },
  },
});
