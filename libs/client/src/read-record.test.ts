import { readFinding, readStatus } from './read-record';
import {
  FINDING,
  findingRecord,
  samplesOf,
  STATUS,
  statusRecord,
  tombstone,
} from './testing/records';

const EVENTS = samplesOf('finding-event');
const STATUSES = samplesOf('status');

test('there are samples of releases and of later versions', () => {
  const paths = [...EVENTS, ...STATUSES].map(([path]) => path);
  for (const part of ['released/', 'later-versions/'])
    expect(paths.some((it) => it.startsWith(part))).toBe(true);
});

test.each(EVENTS)('%s is read, with every field and word of it', (_path, event) => {
  const { data } = event as { data: { id: string } };
  const record = { key: data.id, value: JSON.stringify(event) };
  expect(readFinding(record)).toEqual({ finding: data });
});

test.each(STATUSES)('%s is read, with every field and word of it', (_path, status) => {
  const { cluster, source } = status as { cluster: string; source: string };
  const record = { key: `${cluster}/${source}`, value: JSON.stringify(status) };
  expect(readStatus(record)).toEqual({ status });
});

test('a tombstone names what is forgotten, also under a key that never reported', () => {
  expect(readFinding(tombstone('x'))).toEqual({ forgotten: 'x' });
  expect(readStatus(tombstone('lab/ovn-nb'))).toEqual({ forgotten: 'lab/ovn-nb' });
});

test.each([
  ['no JSON', { key: FINDING.id, value: '{' }],
  ['bytes that are no text', { key: FINDING.id, value: Uint8Array.from([0xff, 0xfe, 0]) }],
  ['an empty value', { key: FINDING.id, value: '' }],
  ['null', { key: FINDING.id, value: 'null' }],
  ['an event without a finding', { key: FINDING.id, value: '{"specversion":"1.0"}' }],
  ['another key', { ...findingRecord(), key: 'another' }],
  ['no key', { ...findingRecord(), key: null }],
  ['a revision that is text', findingRecord({ revision: '7' })],
  ['a revision that is no whole number', findingRecord({ revision: 1.5 })],
  ['no state', findingRecord({ state: null })],
  ['no cluster', findingRecord({ cluster: undefined })],
])('%s is poison, not a finding and not an error', (_what, record) => {
  expect(readFinding(record)).toEqual({ poison: expect.any(String) as string });
});

test.each([
  ['another version', statusRecord({ version: 2 })],
  ['another key', { ...statusRecord(), key: 'lab/ovn-nb' }],
  ['an offset that is none', statusRecord({ findingsThrough: 'all' })],
  ['no word on completeness', statusRecord({ complete: undefined })],
  ['no JSON', { key: `${STATUS.cluster}/${STATUS.source}`, value: '[' }],
])('%s is poison, not a status', (_what, record) => {
  expect(readStatus(record)).toEqual({ poison: expect.any(String) as string });
});
