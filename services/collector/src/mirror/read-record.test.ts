import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, changeKey } from '@ovn-steward/contracts/changes/change';
import { encodeChange, encodeForgottenChange } from '@ovn-steward/contracts/changes/change-codec';
import type { NewRecord } from '@ovn-steward/shared/log/log';
import { readRecord, type ReadRecord } from './read-record';

const CLUSTER = 'berlin-1';
const CONTRACTS = join(__dirname, '../../../../contracts');
const sample = (path: string): Change =>
  JSON.parse(readFileSync(join(CONTRACTS, `${path}.json`), 'utf8')) as Change;
const PUT = sample('examples/change.v1.put-object') as Extract<Change, { type: 'put' }>;
const DELETE = sample('examples/change.v1.delete') as Extract<Change, { type: 'delete' }>;

const read = (
  { key, value, headers = {}, timestamp }: NewRecord,
  cluster = CLUSTER,
): ReadRecord | undefined =>
  readRecord(
    { offset: 0n, key, value: value === null ? null : Buffer.from(value), headers, timestamp },
    cluster,
  );
const reported = (change: Change, key = changeKey(change)): ReadRecord | undefined =>
  read({ ...encodeChange(change)[0]!, key });
const streamOf = ({ stream, source, epoch, seq }: Change) => ({ stream, source, epoch, seq });
const entityOf = ({ source, kind, uid }: typeof PUT | typeof DELETE) => ({ source, kind, uid });

test('of an object its hash and its name are remembered', () => {
  const { hash, name, namespace } = PUT;
  expect(reported(PUT)).toEqual({
    type: 'entity',
    state: streamOf(PUT),
    entity: entityOf(PUT),
    entry: { hash, name, namespace },
    replayed: false,
  });
  expect(read(encodeChange(PUT)[0]!, 'paris-1')).toBeUndefined();
});

test('a deletion says the same by itself and by its tombstone', () => {
  const [itself, tombstone] = encodeChange(DELETE).map((it) => read(it));
  expect(itself).toEqual({
    type: 'entity',
    state: streamOf(DELETE),
    entity: entityOf(DELETE),
    entry: null,
    replayed: false,
  });
  expect(tombstone).toEqual(itself);
});

test('news of a stream say how far it is, and which kinds it has', () => {
  const end = sample('examples/change.v1.snapshot-end') as Extract<Change, { kinds: string[] }>;
  expect(reported(end)).toEqual({ type: 'stream', state: { ...streamOf(end), kinds: end.kinds } });
  expect(read(encodeForgottenChange(changeKey(end), 0))).toBeUndefined();
});

test('a stream is unavailable for whatever reason, also one that only a later version knows', () => {
  const later = sample('later-versions/change.v1') as Extract<Change, { type: 'unavailable' }>;
  expect(reported(later)).toEqual({
    type: 'stream',
    state: { ...streamOf(later), kinds: later.kinds },
  });
});

test('a type of a later version may say anything of what its key names', () => {
  const renamed = sample('later-versions/change.v1.renamed');
  const { kind, uid } = renamed as typeof PUT;
  const key = `${CLUSTER}/kubernetes/${kind}/${uid}`;
  expect(reported(renamed, key)).toEqual({
    type: 'unreadable',
    entity: entityOf(renamed as never),
  });
  expect(reported(renamed, `${CLUSTER}/kubernetes/_renamed/kubernetes/Pod`)).toEqual({
    type: 'unreadable-news',
    stream: 'kubernetes/Pod',
  });
});

test('a source of a later version is none that a mirror holds', () => {
  expect(reported(sample('later-versions/change.v1.ovn-ic'))).toBeUndefined();
});

test('the next heartbeat says all that one said which nobody can read', () => {
  const unread = { value: '{', timestamp: 0 };
  expect(read({ ...unread, key: `${CLUSTER}/ovn-nb/_heartbeat/ovn-nb` })).toBeUndefined();
  expect(read({ ...unread, key: `${CLUSTER}/ovn-nb/_unavailable/ovn-nb` })).toEqual({
    type: 'unreadable-news',
    stream: 'ovn-nb',
  });
});

test('a tombstone without a position says nothing of the thing', () => {
  expect(read(encodeForgottenChange(changeKey(DELETE), 0))).toEqual({
    type: 'unreadable',
    entity: entityOf(DELETE),
  });
});
