import type { Objects } from '../world/entity';
import { row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './neighbour-damaged';

const AT = '2026-01-01T00:00:00Z';
type Former = Objects['Former_Row'];
const former = (over: Partial<Former>) =>
  row('Former_Row', 'net', {
    uid: 'net',
    table: 'Logical_Switch',
    owner: 'neutron',
    onKubeOvns: false,
    parts: [],
    referrers: [],
    since: AT,
    until: AT,
    evidence: ['it was not Neutron'],
    ...over,
  });
const part = (uid: string, gone = true): Former['parts'][number] => ({
  table: 'ACL',
  uid,
  name: '',
  owner: 'neutron',
  gone,
  moment: '1',
  row: { match: uid },
});

testRule(rule, {
  healthy: {
    'nothing shows that its owner did not do it': world(
      former({ row: { name: 'net' }, evidence: [] }),
    ),
  },
  unknown: {
    'Kube-OVN started at that time': world(
      former({ row: { name: 'net' }, evidence: [], doubt: 'a controller took the lead' }),
    ),
  },
  violation: {
    'a row that vanished with what it held': {
      given: world(former({ row: { name: 'net' }, parts: [part('a')] })),
      summary:
        'Logical_Switch net of neutron vanished, with 1 row in it: it was not Neutron. By whom is not known',
      concerns: ['a'],
    },
    'parts that vanished or were changed, and who did it': {
      given: world(
        former({ parts: [part('a'), part('b', false), part('c', false)], writer: 'It was X' }),
      ),
      summary:
        '1 row of neutron vanished from Logical_Switch net, and 2 rows of neutron in Logical_Switch net left tier 0: it was not Neutron. It was X',
      concerns: ['a', 'b', 'c'],
    },
    'more than a finding carries, counted in bytes: a letter may have several': {
      given: world(
        former({
          parts: ['a', 'b'].map((it) => ({ ...part(it), row: { match: 'ж'.repeat(70 * 1024) } })),
        }),
      ),
      summary:
        '2 rows of neutron vanished from Logical_Switch net: it was not Neutron. By whom is not known',
      noRemedy: true,
    },
    'one made by hand': {
      given: world(former({ row: { name: 'net' }, owner: 'unknown' })),
      summary:
        'Logical_Switch net of an unknown owner vanished: it was not Neutron. By whom is not known',
    },
  },
});
