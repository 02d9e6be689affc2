import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { changeKey } from '@ovn-steward/contracts/changes/change';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { readChange } from './read-change';

const AT = '2026-01-01T00:00:00.000Z';
const PUT = {
  type: 'put',
  version: 1,
  id: 'i',
  cluster: 'test',
  source: 'kubernetes',
  stream: 'kubernetes/Pod',
  epoch: 1,
  seq: 7,
  cursor: '',
  observedAt: AT,
  kind: 'Pod',
  uid: 'u',
  namespace: 'shop',
  name: 'n',
  object: { metadata: { name: 'n', namespace: 'shop', uid: 'u' } },
  hash: 'h',
} satisfies Change;
const HEARTBEAT_KEY = 'test/kubernetes/_heartbeat/kubernetes/Pod';
const heartbeat = (more: object) => ({ ...PUT, type: 'heartbeat', observedThrough: AT, ...more });
const from = { topic: CHANGES, partition: partitionOf('test', PARTITIONS) };
const record = (key: string, value: unknown, more: Partial<LogRecord> = {}): LogRecord => ({
  offset: 5n,
  key,
  value: value === null ? null : Buffer.from(JSON.stringify(value)),
  headers: {},
  timestamp: Date.parse(AT),
  ...more,
});

test('reads a change under its key, in the partition of its cluster', () => {
  expect(readChange(record(changeKey(PUT), PUT), from)).toEqual({ cluster: 'test', input: PUT });
});

test.each<[string, object, string]>([
  ['cluster', { cluster: 'south' }, changeKey(PUT)],
  ['source', { source: 'ovn-nb', stream: 'ovn-nb' }, changeKey(PUT)],
  ['kind', { kind: 'Node', stream: 'kubernetes/Node' }, changeKey(PUT)],
  ['uid', { uid: 'v' }, changeKey(PUT)],
  ['stream', { stream: 'kubernetes/Node' }, changeKey(PUT)],
  ['kind, as if it were an object', { kind: '_heartbeat', uid: 'kubernetes/Pod' }, HEARTBEAT_KEY],
])('of a change of another %s than its key only that much is known', (_, other, key) => {
  const read = readChange(record(key, { ...PUT, ...other }), from);
  expect(read).toMatchObject({ poison: expect.stringMatching(/^its (?:key|stream) is /) });
  if (key === changeKey(PUT))
    expect(read).toMatchObject({
      cluster: 'test',
      input: { type: 'unreadable', kind: 'Pod', uid: 'u', stream: 'kubernetes/Pod' },
    });
});

test('a change in the partition of other clusters is poison', () => {
  const elsewhere = { ...from, partition: (from.partition + 1) % PARTITIONS };
  expect(readChange(record(changeKey(PUT), PUT), elsewhere)).toMatchObject({
    poison: `changes of cluster test belong to partition ${from.partition}`,
  });
});

test.each<[string, object]>([
  ['epoch', { epoch: Number.MAX_SAFE_INTEGER }],
  ['seq', { seq: Number.MAX_SAFE_INTEGER }],
  ['time it was observed at', { observedAt: '9999-12-31T23:59:59Z' }],
  ['watermark', { observedThrough: '9999-12-31T23:59:59Z' }],
])('a heartbeat of a %s nobody can have yet leaves a gap', (_, more) => {
  expect(readChange(record(HEARTBEAT_KEY, heartbeat(more)), from)).toMatchObject({
    poison: expect.stringMatching(/^its /),
    input: { type: 'unreadable', kind: '_heartbeat', stream: 'kubernetes/Pod' },
  });
});

test('a tombstone of an epoch nobody can have yet is no deletion', () => {
  const headers = { id: 'i', stream: 'kubernetes/Pod', epoch: '2', seq: '1' };
  const reported = (more: Record<string, string>) =>
    readChange(record(changeKey(PUT), null, { headers: { ...headers, ...more } }), from);
  expect(reported({})).toMatchObject({ input: { type: 'delete', uid: 'u' } });
  expect(reported({ epoch: String(Number.MAX_SAFE_INTEGER) })).toMatchObject({
    input: { type: 'unreadable' },
  });
  expect(reported({ stream: 'kubernetes/Node' })).toMatchObject({ input: { type: 'unreadable' } });
  expect(readChange(record(HEARTBEAT_KEY, null, { headers }), from)).toEqual({ skipped: true });
});

const LATER = join(__dirname, '../../../../contracts/later-versions');
const ofLater = (name: string): Change =>
  JSON.parse(readFileSync(join(LATER, `change.v1${name}.json`), 'utf8')) as Change;
const reading = (change: Change, key = changeKey(change)) =>
  readChange(record(key, change, { timestamp: Date.parse(change.observedAt) }), {
    topic: CHANGES,
    partition: partitionOf(change.cluster, PARTITIONS),
  });

test('why a stream is unavailable may be said in a word of a later version', () => {
  const change = ofLater('');
  expect(reading(change)).toEqual({ cluster: 'berlin-1', input: change });
});

test('what a type of a later version reports is not known, and so is its stream', () => {
  const key = 'berlin-1/kubernetes/Pod/7f5d0f9e-3a51-4f7e-9f6c-2f0a6f7d1b22';
  expect(reading(ofLater('.renamed'), key)).toMatchObject({
    poison: 'its type renamed is of a later version',
    cluster: 'berlin-1',
    input: { type: 'unreadable', kind: 'Pod', stream: 'kubernetes/Pod' },
    later: true,
  });
});

test('a source of a later version is skipped, unless it is published under the key of another', () => {
  const change = ofLater('.ovn-ic');
  expect(reading(change)).toEqual({ skipped: true });
  expect(reading(change, 'berlin-1/ovn-nb/ACL/u')).toMatchObject({
    poison: expect.stringMatching(/^its key does not begin with berlin-1\/ovn-ic\//),
    input: { type: 'unreadable', kind: 'ACL', stream: 'ovn-nb' },
  });
});
