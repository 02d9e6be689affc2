import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { findingEvent } from '@ovn-steward/contracts/findings/finding-event';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { readFinding, type Read } from './read-finding';
import { CLUSTER, finding, NOW, PARTITION, published, recordOf } from '../testing/findings';

const CONFIRMED = finding('a');

const reading = (value: unknown, key = CONFIRMED.id): Read =>
  readFinding(PARTITION, recordOf({ key, value: JSON.stringify(value), timestamp: 0 }));

test('a finding is read, and a tombstone names what is forgotten', () => {
  expect(readFinding(PARTITION, recordOf(published(CONFIRMED)))).toEqual({ finding: CONFIRMED });
  expect(readFinding(PARTITION, recordOf({ key: 'x', value: null, timestamp: 0 }))).toEqual({
    forgotten: 'x',
  });
});

test.each(['confirmed', 'resolved'])('the contract’s sample of a %s finding is one', (state) => {
  const text = readFileSync(
    join(__dirname, '../../../../contracts/examples', `finding-event.v1.${state}.json`),
    'utf8',
  );
  const { data } = JSON.parse(text) as { data: { id: string; cluster: string } };
  const read = readFinding(
    partitionOf(data.cluster, PARTITIONS),
    recordOf({ key: data.id, value: text, timestamp: 0 }),
  );
  expect(read).toMatchObject({ finding: { id: data.id, state } });
});

test('what it does not have to know is tolerated', () => {
  expect(
    reading({
      ...findingEvent(CONFIRMED),
      traceparent: '00-1',
      data: { ...CONFIRMED, hint: { added: 'later' } },
    }),
  ).toEqual({ finding: CONFIRMED });
});

test.each([
  ['class', { class: 'excess' }],
  ['severity', { severity: 'fatal' }],
  ['state', { state: 'muted' }],
  ['source', { subject: { ...CONFIRMED.subject, source: 'ovn-ic' } }],
  ['verdict', { owner: { ...CONFIRMED.owner, verdict: 'quarantine' } }],
  ['fact', { proof: [{ fact: 'idle', since: 'yesterday' }] }],
])(
  'a %s added later makes it a newer finding, which is neither acted on nor refused',
  (_, more) => {
    expect(reading({ ...findingEvent(CONFIRMED), data: { ...CONFIRMED, ...more } })).toEqual({
      newer: { id: CONFIRMED.id, cluster: CLUSTER, revision: 2 },
    });
  },
);

test.each<[string, unknown, RegExp]>([
  [
    'another version',
    { ...findingEvent(CONFIRMED), type: 'dev.ovn-steward.finding.v2' },
    /^not a finding of version 1: type /,
  ],
  ['no envelope', CONFIRMED, /^not a finding of version 1: /],
  [
    'a class that is no word',
    { ...findingEvent(CONFIRMED), data: { ...CONFIRMED, class: 7 } },
    /data\.class/,
  ],
  [
    'a word unknown and something wrong',
    { ...findingEvent(CONFIRMED), data: { ...CONFIRMED, class: 'excess', revision: -1 } },
    /data\.revision/,
  ],
  ['no object', 'text', /^not a finding/],
  ['null', null, /^not a finding/],
])('%s is set aside, with the reason', (_, value, why) => {
  expect(reading(value)).toEqual({ poison: expect.stringMatching(why) });
});

test('bytes that are not JSON are set aside', () => {
  const record = { ...recordOf(published(CONFIRMED)), value: Buffer.from([0xff, 0x00]) };
  expect(readFinding(PARTITION, record)).toEqual({ poison: expect.stringMatching(/^not JSON: /) });
});

test('a finding under another key, or in another cluster’s partition, is set aside: its tombstone would not be met', () => {
  expect(reading(findingEvent(CONFIRMED), 'other')).toEqual({
    poison: `its key is not the finding's id, ${CONFIRMED.id}`,
  });
  expect(readFinding(PARTITION + 1, recordOf(published(CONFIRMED)))).toEqual({
    poison: `findings of cluster ${CLUSTER} belong into partition ${PARTITION}`,
  });
});

test('nothing it is given makes it throw', () => {
  const hostile = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      '['.repeat(200_000),
      '{"data":{"__proto__":{"id":1}}}',
      JSON.stringify({
        ...findingEvent(CONFIRMED),
        data: { ...CONFIRMED, proof: [{ fact: '__proto__' }] },
      }),
    ),
  );
  fc.assert(
    fc.property(
      hostile,
      (value) =>
        void readFinding(PARTITION, recordOf({ key: 'k', value, timestamp: NOW.getTime() })),
    ),
  );
});
