import { row } from '../testing/builders';
import { testUninstalled } from '../testing/uninstalled';
import { world } from '../testing/world-builder';
import rule from './uninstalled-load-balancer';

const left = row('Load_Balancer', 'cluster-tcp-loadbalancer', {
  external_ids: { vendor: 'kube-ovn' },
  options: { prefer_local_backend: 'false' },
  protocol: 'tcp',
});

testUninstalled(
  rule,
  left,
  world(
    left,
    row('Logical_Switch', 'apps', {
      external_ids: { vendor: 'kube-ovn' },
      load_balancer: ['Load_Balancer:cluster-tcp-loadbalancer'],
    }),
  ),
);
