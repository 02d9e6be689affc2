import { diagnose, doctorTargetOf } from './diagnosis';
import { auditOf } from '../testing/mutate';
import { STUCK_CASES } from '../testing/stuck-cases';
import { doctorDocument } from './doctor-json';
import { age, doctorText } from './doctor-text';

const NOW = new Date('2026-08-05T03:00:00Z');
const seen = async (what: string) => {
  const { plant } = STUCK_CASES.find((it) => it.what === what)!;
  return diagnose(await auditOf('clean', plant), [doctorTargetOf(what)]);
};

test('draws the tree, then the order', async () => {
  expect(doctorText(await seen('vpc/dr-vpc'), NOW).replace(/\u001b\[[0-9;]*m/g, '')).toBe(
    [
      "Kube-OVN's controller is there: what it can finish, it finishes by itself.",
      '',
      'Vpc dr-vpc, terminating since 2026-08-02T00:00:00Z (3d 3h)',
      '└─ subnets that name it are not deleted yet',
      '   └─ Subnet dr-child, terminating since 2026-08-02T00:00:00Z (3d 3h)',
      '      └─ addresses of it are still held',
      '         └─ IP left-0.lost, it is not being deleted; IP left-0.lost keeps 10.77.11.9 of subnet dr-child for lost/left-0, which no longer exists',
      '',
      'What to do for Vpc dr-vpc, in this order',
      '  1. steward · delete-ip IP left-0.lost: delete the IP object left-0.lost: the Kube-OVN controller then removes the port of that name, if any, and frees 10.77.11.9',
      '  2. Kube-OVN finishes Subnet dr-child by itself once the above is done',
      '  3. Kube-OVN finishes Vpc dr-vpc by itself once the above is done',
      '     Gone then: Vpc dr-vpc, Subnet dr-child',
      '',
    ].join('\n'),
  );
});

test('says the same for machines', async () => {
  expect(doctorDocument(await seen('oeip/dr-eip2'))).toMatchObject({
    controller: 'there',
    well: [],
    missing: [],
    unknown: [],
    stuck: [
      {
        subject: { kind: 'OvnEip', name: 'dr-eip2' },
        state: 'terminating',
        waits: [
          {
            because: 'NAT rules still use it: OvnDnatRule dr-dnat',
            more: 0,
            of: [{ subject: { kind: 'OvnDnatRule' }, remedy: { action: 'strip-finalizer' } }],
          },
        ],
      },
    ],
    steps: [
      { who: 'executor', about: { name: 'dr-dnat' }, remedy: { action: 'strip-finalizer' } },
      { who: 'kube-ovn', about: { name: 'dr-eip2' } },
    ],
  });
});

test('says plainly that nothing is stuck, and what cannot be known', async () => {
  const engine = await auditOf('clean', (it) => it.forget('Vip'));
  const text = (what: string): string => doctorText(diagnose(engine, [doctorTargetOf(what)]), NOW);
  expect(text('subnet/apps')).toBe('Subnet apps is not being deleted: nothing is stuck.\n');
  expect(text('subnet/zzzzzzzz')).toBe(
    'There is no Subnet zzzzzzzz: it is gone, or never had that name.\n',
  );
  expect(text('subnet/app')).toBe(
    'There is no Subnet app: it is gone, or never had that name; did you mean apps?\n',
  );
  expect(text('vip/x')).toMatch(/^Whether there is a Vip x is not known/);
  expect(doctorText(diagnose(await auditOf('clean', () => undefined), []), NOW)).toBe(
    'Nothing is stuck.\n',
  );
});

test.each([
  ['2026-08-05T02:59:30Z', '30s'],
  ['2026-08-05T02:10:00Z', '50m'],
  ['2026-08-05T01:00:00Z', '2h'],
  ['2026-08-04T22:30:00Z', '4h 30m'],
  ['2026-07-01T03:00:00Z', '35d'],
  ['2026-08-06T00:00:00Z', '0s'],
])('since %s is %s', (since, is) => expect(age(since, NOW)).toBe(is));
