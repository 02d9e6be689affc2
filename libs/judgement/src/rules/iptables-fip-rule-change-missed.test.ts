import { object } from '../testing/builders';
import { testUnappliedChange } from '../testing/unapplied-change';
import { world } from '../testing/world-builder';
import rule from './iptables-fip-rule-change-missed';

const KIND = 'IptablesFIPRule';

testUnappliedChange(
  rule,
  { kind: KIND, field: 'internalIp', wanted: '10.50.0.77', has: '10.50.0.5' },
  {
    healthy: {
      'the address is written otherwise': world(
        object(KIND, 'web', {
          spec: { internalIp: 'fd00:0::5' },
          status: { internalIp: 'fd00::5', ready: true },
        }),
      ),
    },
  },
);
