import { object } from '../testing/builders';
import { testUnappliedChange } from '../testing/unapplied-change';
import { world } from '../testing/world-builder';
import rule from './ovn-dnat-rule-change-ignored';

const KIND = 'OvnDnatRule';

testUnappliedChange(
  rule,
  { kind: KIND, field: 'externalPort', wanted: '81', has: '80' },
  {
    healthy: {
      'the protocol is written otherwise': world(
        object(KIND, 'web', {
          spec: { protocol: 'TCP' },
          status: { protocol: 'tcp', ready: true },
        }),
      ),
    },
    violation: {
      'its other fields were changed': {
        given: world(
          object(KIND, 'web', {
            spec: { internalPort: '8081', protocol: 'udp' },
            status: { internalPort: '8080', protocol: 'tcp', ready: true },
          }),
        ),
        summary:
          'OvnDnatRule web asks for internalPort 8081 and still has 8080, protocol udp and still has tcp: Kube-OVN has not carried out the change',
      },
    },
  },
);
