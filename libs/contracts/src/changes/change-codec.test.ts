import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { changeKey, type Change, type Delete } from './change';
import {
  decodeChange,
  type DecodedChange,
  encodeChange,
  encodeForgottenChange,
} from './change-codec';

const CONTRACTS = join(__dirname, '../../../../contracts');
const text = (path: string): string => readFileSync(join(CONTRACTS, path), 'utf8');
const sample = (path: string): Change => JSON.parse(text(path)) as Change;
const later = (name: string): Change => sample(`later-versions/change.v1${name}.json`);

const stored = ({ key, value, headers = {}, timestamp }: NewRecord): LogRecord => ({
  offset: 0n,
  key,
  value: value === null ? null : Buffer.from(value),
  headers,
  timestamp,
});
const decoded = (record: NewRecord): DecodedChange => decodeChange(stored(record));
const reading = (change: object, key = changeKey(change as Change)): DecodedChange =>
  decoded({
    key,
    value: JSON.stringify(change),
    timestamp: Date.parse((change as Change).observedAt ?? '2026-03-02T09:00:00Z'),
  });

const SAMPLES = readdirSync(join(CONTRACTS, 'examples')).filter((it) => it.startsWith('change.'));
const PUT = sample('examples/change.v1.put-object.json');
const DELETE = sample('examples/change.v1.delete.json') as Delete;
const HEARTBEAT = sample('examples/change.v1.heartbeat.json');

test.each(SAMPLES)('the sample %s comes back as it is', (file) => {
  const change = sample(`examples/${file}`);
  const [record] = encodeChange(change);
  expect(decoded(record!)).toEqual({ change, understood: true, replayed: false });
  expect(record!.timestamp).toBe(Date.parse(change.observedAt));
});

test('an object that is JSON already is not written again, and means the same', () => {
  const [record] = encodeChange(PUT, JSON.stringify((PUT as { object: object }).object));
  expect(JSON.parse(String(record!.value))).toEqual(PUT);
});

test('an object keeps its members, but for one that would be its prototype', () => {
  const written = JSON.stringify({ ...PUT, object: { b: 1, a: [2] } });
  const objectIn = (value: string): unknown => {
    const read = decoded({ ...encodeChange(PUT)[0]!, value });
    return 'change' in read && (read.change as { object: object }).object;
  };
  expect(JSON.stringify(objectIn(written))).toBe('{"b":1,"a":[2]}');
  const hostile = objectIn(written.replace('"b":1', '"__proto__":{"c":1}'));
  expect(hostile).toEqual({ a: [2] });
  expect(Object.getPrototypeOf(hostile)).toBe(Object.prototype);
});

test('a deletion is published twice: by itself, then by a tombstone at the same position', () => {
  const [reported, tombstone, ...more] = encodeChange(DELETE);
  const { id, stream, epoch, seq } = DELETE;
  expect(more).toEqual([]);
  expect([reported!.key, tombstone!.key, tombstone!.value]).toEqual([
    changeKey(DELETE),
    reported!.key,
    null,
  ]);
  expect([reported!.headers, tombstone!.headers]).toEqual(
    Array(2).fill({ id, stream, epoch: String(epoch), seq: String(seq) }),
  );
  expect(decoded(tombstone!)).toEqual({
    tombstone: {
      ...DELETE,
      cursor: '',
      name: '',
      observedAt: expect.anything(),
      namespace: undefined,
    },
    replayed: false,
  });
});

test('what was sent again by hand says so', () => {
  const headers = { 'replay-of': 'letter' };
  const [reported, tombstone] = encodeChange(DELETE);
  expect(decoded({ ...reported!, headers })).toMatchObject({ change: DELETE, replayed: true });
  expect(decoded({ ...tombstone!, headers: { ...tombstone!.headers, ...headers } })).toMatchObject({
    tombstone: { uid: DELETE.uid },
    replayed: true,
  });
});

test.each<[string, NewRecord]>([
  ['without a position', encodeForgottenChange(changeKey(DELETE), 0)],
  ['of news of a stream', { ...encodeChange(DELETE)[1]!, key: changeKey(HEARTBEAT) }],
  ['under a key that is none of ours', encodeForgottenChange('nobody', 0)],
  [
    'with a broken position',
    { ...encodeChange(DELETE)[1]!, headers: { ...encodeChange(DELETE)[1]!.headers, epoch: 'x' } },
  ],
])('a tombstone %s says nothing more', (_, record) => {
  expect(decoded(record)).toEqual({ forgotten: record.key });
});

test('members of a later version are left out, at whatever depth of the change itself', () => {
  expect(reading({ ...PUT, addedLater: { deep: [1] } })).toEqual({
    change: PUT,
    understood: true,
    replayed: false,
  });
});

test('why a stream is unavailable may be said in a word of a later version: the stream is unavailable', () => {
  expect(reading(later(''))).toEqual({ change: later(''), understood: false, replayed: false });
});

test('a type of a later version is distinguished from what nobody could read', () => {
  const renamed = later('.renamed');
  const key = 'berlin-1/kubernetes/Pod/7f5d0f9e-3a51-4f7e-9f6c-2f0a6f7d1b22';
  expect(reading(renamed, key)).toEqual({ later: 'its type renamed is of a later version' });
  expect(reading({ ...renamed, version: 2 }, key)).toHaveProperty('poison');
  expect(reading({ ...renamed, epoch: 'third' }, key)).toHaveProperty('poison');
  expect(reading(renamed, 'berlin-1/ovn-nb/ACL/x')).toEqual({
    poison: 'its key does not begin with berlin-1/kubernetes/, which it is about',
  });
});

test('a source of a later version is named, where the key is of that source, too', () => {
  const change = later('.ovn-ic');
  expect(reading(change)).toEqual({
    later: 'its source ovn-ic is of a later version',
    of: 'ovn-ic',
  });
  expect(reading({ ...change, type: 'renamed' }, changeKey(change))).toHaveProperty('of', 'ovn-ic');
  expect(reading(change, 'berlin-1/ovn-nb/ACL/x')).toHaveProperty('poison');
});

test.each<[string, unknown, RegExp]>([
  ['another major version', { ...PUT, version: 2 }, /^it is not a change of version 1: version /],
  ['a word unknown and something wrong', { ...later(''), seq: 0 }, /^it is not a change.* seq /],
  ['a source that is no word', { ...PUT, source: 7 }, /source/],
  ['no object', 'text', /^it is not a change of version 1/],
  ['null', null, /^it is not a change of version 1/],
])('%s is poison, with the reason', (_, value, why) => {
  const record = { key: changeKey(PUT), value: JSON.stringify(value), timestamp: 0 };
  expect(decoded(record)).toEqual({ poison: expect.stringMatching(why) });
});

test('what stands under another key, or was published by who cannot know it yet, is poison', () => {
  expect(reading(PUT, changeKey(HEARTBEAT))).toEqual({
    poison: expect.stringMatching(/^its key is not /),
  });
  const forged = { poison: expect.stringMatching(/^its epoch /), forged: true };
  expect(reading({ ...PUT, epoch: Number.MAX_SAFE_INTEGER })).toEqual(forged);
  expect(reading({ ...later(''), epoch: Number.MAX_SAFE_INTEGER })).toEqual(forged);
  const [, tombstone] = encodeChange({ ...DELETE, epoch: Number.MAX_SAFE_INTEGER });
  expect(decoded(tombstone!)).toEqual(forged);
});

test('nothing it is given makes it throw, whenever it was dated', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const hostile = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      deep,
      JSON.stringify(PUT).replace('"object":{', `"object":{"deep":${deep},`),
      JSON.stringify(later('')).replace('{', `{"deep":${deep},`),
      JSON.stringify(HEARTBEAT),
      null,
    ),
  );
  const times = fc.oneof(fc.integer(), fc.constantFrom(-1, 1e17, -1e17, Number.MAX_SAFE_INTEGER));
  const keys = fc.constantFrom(changeKey(PUT), changeKey(DELETE), changeKey(HEARTBEAT), '', 'k');
  const headers = encodeChange(DELETE)[1]!.headers!;
  fc.assert(
    fc.property(
      keys,
      hostile,
      times,
      (key, value, timestamp) => void decoded({ key, value, headers, timestamp }),
    ),
  );
});
