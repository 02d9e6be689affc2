import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Finding } from './finding';
import {
  clusterOfFinding,
  type DecodedFinding,
  decodeFinding,
  encodeEvent,
  encodeFinding,
  encodeForgotten,
  findingIn,
  isUnderstood,
} from './finding-codec';
import { findingEvent } from './finding-event';

const SAMPLES = join(__dirname, '../../../../contracts/examples');
const sample = (state: string): string =>
  readFileSync(join(SAMPLES, `finding-event.v1.${state}.json`), 'utf8');

const CONFIRMED = (JSON.parse(sample('confirmed')) as { data: Finding }).data;
const PARTITION = partitionOf(CONFIRMED.cluster, PARTITIONS);
const ORIGIN = { analyzer: 'a1', changes: `${PARTITION}/1-2` };

const decoded = (value: string, key = CONFIRMED.id): DecodedFinding =>
  decodeFinding(PARTITION, { key, value: Buffer.from(value) });
const reading = (value: unknown, key?: string): DecodedFinding =>
  decoded(JSON.stringify(value), key);

test('what is written is read, and a tombstone names what is forgotten', () => {
  const { key, value, headers } = encodeFinding(CONFIRMED, ORIGIN);
  expect(decoded(value!, key)).toEqual({ finding: CONFIRMED, understood: true });
  expect(findingIn(value!)).toEqual(CONFIRMED);
  expect(headers).toEqual({ 'content-type': 'application/cloudevents+json', ...ORIGIN });
  const forgotten = encodeForgotten('x', ORIGIN);
  expect(forgotten).toEqual({ key: 'x', value: null, headers: ORIGIN });
  expect(decodeFinding(PARTITION, { key: 'x', value: null })).toEqual({ forgotten: 'x' });
});

test.each(['confirmed', 'resolved'])('the sample of a %s finding comes back as it is', (state) => {
  const text = JSON.stringify(JSON.parse(sample(state)));
  const { id, cluster } = findingIn(text);
  const read = decodeFinding(partitionOf(cluster, PARTITIONS), {
    key: id,
    value: Buffer.from(text),
  });
  if (!('finding' in read)) throw new Error(JSON.stringify(read));
  expect(read.understood).toBe(true);
  expect(encodeFinding(read.finding, ORIGIN).value).toBe(text);
  expect(encodeEvent(id, text, ORIGIN)).toEqual(encodeFinding(read.finding, ORIGIN));
});

test('what it does not have to know is tolerated, and kept', () => {
  const later = { hint: { added: 'later' }, ...CONFIRMED };
  const read = reading({ ...findingEvent(CONFIRMED), traceparent: '00-1', data: later });
  expect(read).toEqual({ finding: later, understood: true });
  expect(JSON.stringify('finding' in read && read.finding)).toBe(JSON.stringify(later));
});

test.each([
  ['class', { class: 'excess' }],
  ['severity', { severity: 'fatal' }],
  ['state', { state: 'muted' }],
  ['source', { subject: { ...CONFIRMED.subject, source: 'ovn-ic' } }],
  ['verdict', { owner: { ...CONFIRMED.owner, verdict: 'quarantine' } }],
  ['fact', { proof: [{ fact: 'idle', since: 'yesterday' }] }],
])('a %s added later makes it a finding that is kept as it is, and not understood', (_, more) => {
  const later = { ...CONFIRMED, ...more } as Finding;
  expect(reading({ ...findingEvent(CONFIRMED), data: later })).toEqual({
    finding: later,
    understood: false,
  });
  expect(isUnderstood(later)).toBe(false);
  expect(isUnderstood(CONFIRMED)).toBe(true);
});

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
  expect(decodeFinding(PARTITION, { key: CONFIRMED.id, value: Buffer.from([0xff, 0x00]) })).toEqual(
    { poison: expect.stringMatching(/^not JSON: /) },
  );
});

test('a finding under another key, or in another cluster’s partition, is set aside: its tombstone would not be met', () => {
  expect(reading(findingEvent(CONFIRMED), 'other')).toEqual({
    poison: `its key is not the finding's id, ${CONFIRMED.id}`,
  });
  const { key, value } = encodeFinding(CONFIRMED, ORIGIN);
  expect(decodeFinding(PARTITION + 1, { key, value: Buffer.from(value!) })).toEqual({
    poison: `findings of cluster ${CONFIRMED.cluster} belong to partition ${PARTITION}`,
  });
});

test('of a finding of another major version the cluster is known, where it names itself', () => {
  const event = { ...findingEvent(CONFIRMED), type: 'dev.ovn-steward.finding.v2' };
  const value = Buffer.from(JSON.stringify(event));
  expect(clusterOfFinding({ key: CONFIRMED.id, value })).toBe(CONFIRMED.cluster);
  expect(clusterOfFinding({ key: 'other', value })).toBeUndefined();
  expect(clusterOfFinding({ key: CONFIRMED.id, value: null })).toBeUndefined();
  expect(clusterOfFinding({ key: CONFIRMED.id, value: Buffer.from('{') })).toBeUndefined();
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
      (value) => void decodeFinding(PARTITION, { key: 'k', value: Buffer.from(value) }),
    ),
  );
});
