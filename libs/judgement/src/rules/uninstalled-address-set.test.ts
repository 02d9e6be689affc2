import { row } from '../testing/builders';
import { testUninstalled } from '../testing/uninstalled';
import { world } from '../testing/world-builder';
import rule from './uninstalled-address-set';

const left = row('Address_Set', 'pool.pay', {
  external_ids: { vendor: 'kube-ovn', ippool: 'pool-pay' },
});

testUninstalled(
  rule,
  left,
  world(
    left,
    row('ACL', '', {
      uid: 'acl',
      match: 'ip4.src == $pool.pay',
      external_ids: { vendor: 'kube-ovn', parent: 'other' },
    }),
  ),
);
