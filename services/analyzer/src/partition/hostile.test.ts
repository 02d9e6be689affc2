import type { Put } from '@ovn-steward/contracts/changes/change';
import { DEAD_LETTER } from '@ovn-steward/shared/log/topics';
import { ip, logicalSwitch, object, pod, port } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';
import { Bench, CLUSTERS } from '../testing/bench';

const [TEST, SOUTH] = CLUSTERS;
const FINDINGS = (cluster: string) => [
  `${cluster} leaked-ip suspected`,
  `${cluster} orphaned-logical-switch-port suspected`,
];

test.each<[string, (history: History) => Put, string]>([
  ['object', (it) => ({ ...it.put(pod('shop/evil')), object: {} }) as Put, 'Pod'],
  [
    'row',
    (it) => it.put(port('evil.shop', { _parents: [null] as never })) as Put,
    'Logical_Switch_Port',
  ],
])(
  'a malformed %s is set aside and withholds what reads its kind; the other clusters of the partition are judged',
  async (_, hostile, kind) => {
    const bench = await new Bench().begin();
    try {
      const evil = new History(TEST);
      const south = new History(SOUTH);
      await bench.publish([...evil.listEverything(), hostile(evil), ...evil.heartbeats(0)]);
      await bench.publish([
        ...south.listEverything(),
        south.put(object('Subnet', 'apps')),
        south.put(logicalSwitch()),
        south.put(port()),
        south.put(ip('web-0.shop.second.shop.ovn')),
        ...south.heartbeats(0),
      ]);
      const observed = await bench.read();
      expect(observed.events.filter((it) => it.type === 'failed')).toEqual([]);
      expect(observed.openFindings()).toEqual(FINDINGS(SOUTH));
      expect(await bench.recordsOf(DEAD_LETTER)).toHaveLength(1);
      const withheld = (cluster: string) =>
        observed.analyzer
          .picture(cluster)!
          .unknowns()
          .filter((it) => it.subject === null && it.reason.includes(kind));
      expect(withheld(TEST)).not.toEqual([]);
      expect(withheld(SOUTH)).toEqual([]);
    } finally {
      await bench.end();
    }
  },
);
