import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { type ActionRecord } from './action';
import {
  actionIn,
  actionJson,
  decodeAction,
  type DecodedAction,
  encodeAction,
  encodeActionText,
  isUndoUnderstood,
} from './action-codec';
import type { Undo } from './undo';

const CONTRACTS = join(__dirname, '../../../../contracts');
const samplesIn = (folder: string): (readonly [string, ActionRecord])[] =>
  readdirSync(join(CONTRACTS, folder))
    .filter((it) => it.startsWith('action.'))
    .map((file) => [
      file,
      JSON.parse(readFileSync(join(CONTRACTS, folder, file), 'utf8')) as ActionRecord,
    ]);

const [[, A]] = samplesIn('examples') as [readonly [string, ActionRecord]];
const decoded = (action: unknown, key = A.id, partition = partitionOf(A.cluster, PARTITIONS)) =>
  decodeAction(partition, { key, value: Buffer.from(JSON.stringify(action)) });

test.each(samplesIn('examples'))('%s comes back as it is', (_, action) => {
  const { key, value, timestamp } = encodeAction(action, 7);
  expect([key, value, timestamp]).toEqual([action.id, actionJson(action), 7]);
  expect(encodeActionText(key, String(value), 7)).toEqual(encodeAction(action, 7));
  expect(actionIn(String(value))).toEqual(action);
  expect(decoded(action, key)).toEqual({ action, text: String(value), understood: true });
});

test.each(samplesIn('later-versions'))('%s is kept as it is, and not understood', (_, action) => {
  expect(decoded(action, action.id)).toEqual({
    action,
    text: JSON.stringify(action),
    understood: false,
  });
});

test('members of a later version are kept, and hide nothing of what is understood', () => {
  const later = { quarantine: { until: 'then' }, ...A };
  expect(decoded(later)).toEqual({
    action: later,
    text: JSON.stringify(later),
    understood: true,
  });
});

test('of an undo record with a word of a later version this one knows that it does not know it', () => {
  const rows = A.undo as Extract<Undo, { of: 'rows' }>;
  const link = { ...rows.links[0]!, strength: 'lent' as never };
  expect(isUndoUnderstood(rows)).toBe(true);
  expect(isUndoUnderstood({ ...rows, links: [link] })).toBe(false);
});

test('a tombstone names what is forgotten', () => {
  expect(decodeAction(0, { key: 'x', value: null })).toEqual({ forgotten: 'x' });
});

test.each<[string, DecodedAction, RegExp]>([
  ['of another version', decoded({ ...A, version: 2 }), /^not an action of version 1: version /],
  ['with something wrong', decoded({ ...A, state: 'later', revision: 0 }), /revision/],
  ['of a time that is none', decoded({ ...A, endedAt: 'soon' }), /soon is no time/],
  ['under another key', decoded(A, 'other'), /^its key is not the action's id/],
  ['in another partition', decoded(A, A.id, -1), /belong to partition/],
])('an action %s is poison, with the reason', (_, read, why) => {
  expect(read).toEqual({ poison: expect.stringMatching(why) });
});

test('nothing it is given makes it throw', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const hostile = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(deep, JSON.stringify(A).replace('{', `{"deep":${deep},`)),
  );
  fc.assert(
    fc.property(hostile, (value) => void decodeAction(0, { key: A.id, value: Buffer.from(value) })),
  );
});
