import { object } from '../testing/builders';
import { testUnappliedChange } from '../testing/unapplied-change';
import { world } from '../testing/world-builder';
import rule from './iptables-dnat-rule-change-missed';

const KIND = 'IptablesDnatRule';

testUnappliedChange(
  rule,
  { kind: KIND, field: 'externalPort', wanted: '81', has: '80' },
  {
    violation: {
      'its other fields were changed': {
        given: world(
          object(KIND, 'web', {
            spec: { internalPort: '81', internalIp: '10.50.0.6', protocol: 'udp' },
            status: { internalPort: '80', internalIp: '10.50.0.5', protocol: 'tcp', ready: true },
          }),
        ),
        summary:
          'IptablesDnatRule web asks for internalPort 81 and still has 80, internalIp 10.50.0.6 and still has 10.50.0.5, protocol udp and still has tcp: Kube-OVN has not carried out the change',
      },
    },
  },
);
