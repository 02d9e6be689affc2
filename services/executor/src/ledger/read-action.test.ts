import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import type { Origin } from '@ovn-steward/shared/log/origin';
import type { Signer } from '@ovn-steward/shared/log/signer';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { CLUSTER, NOW, PARTITION, recordOf } from '../testing/findings';
import { action, actionLogRecord } from '../testing/actions';
import { readAction } from './read-action';

const A = action('a');
const reading = (value: unknown, key = A.id): ReturnType<typeof readAction> =>
  readAction(PARTITION, recordOf({ key, value: JSON.stringify(value), timestamp: 0 }));

test('an action is read, and a tombstone names what is forgotten', () => {
  expect(readAction(PARTITION, actionLogRecord(A))).toEqual({ action: A, text: JSON.stringify(A) });
  expect(readAction(PARTITION, recordOf({ key: 'x', value: null, timestamp: 0 }))).toEqual({
    forgotten: 'x',
  });
});

const SAMPLES = join(__dirname, '../../../../contracts/examples');
test.each(readdirSync(SAMPLES).filter((it) => it.startsWith('action.v1.')))(
  'the contract’s sample %s is one, whole',
  (file) => {
    const sample = JSON.parse(readFileSync(join(SAMPLES, file), 'utf8')) as ActionRecord;
    expect(readAction(partitionOf(sample.cluster, PARTITIONS), actionLogRecord(sample))).toEqual({
      action: sample,
      text: JSON.stringify(sample),
    });
  },
);

test('what it does not know is kept', () => {
  const newer = {
    ...A,
    state: 'quarantined',
    mode: 'rehearse',
    undo: { of: 'snapshot', at: 'x' },
    hint: { added: 'later' },
  };
  expect(reading(newer)).toEqual({ action: newer, text: JSON.stringify(newer) });
});

test.each<[string, unknown, RegExp]>([
  ['another version', { ...A, version: 2 }, /^not an action of version 1: version /],
  ['a revision that is none', { ...A, state: 'quarantined', revision: 0 }, /revision/],
  ['a time that is none', { ...A, claimedAt: 'yesterday' }, /yesterday is no time/],
  ['a state that is no word', { ...A, state: 7 }, /state/],
  ['null', null, /^not an action/],
])('%s is set aside, with the reason', (_, value, why) => {
  expect(reading(value)).toEqual({ poison: expect.stringMatching(why) });
});

test('an action under another key, or in another cluster’s partition, is set aside', () => {
  expect(reading(A, 'other')).toEqual({ poison: `its key is not the action's id, ${A.id}` });
  expect(readAction(PARTITION + 1, actionLogRecord(A))).toEqual({
    poison: `actions of cluster ${CLUSTER} belong to partition ${PARTITION}`,
  });
});

test('nothing it is given makes it throw', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const hostile = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      deep,
      `{"__proto__":${deep}}`,
      JSON.stringify(A).replace('"addresses":', `"deep":${deep},"addresses":`),
    ),
  );
  fc.assert(
    fc.property(
      hostile,
      (value) =>
        void readAction(PARTITION, recordOf({ key: A.id, value, timestamp: NOW.getTime() })),
    ),
  );
});

const signedBy = (more: Partial<Signer>): Origin => ({
  is: 'proven',
  by: { keyId: 'k', role: 'executor', name: 'executor-1', ...more },
  at: 0,
  signature: '',
});
const from = (origin: Origin, value: string | null = JSON.stringify(A)) =>
  readAction(PARTITION, { ...recordOf({ key: A.id, value, timestamp: 0 }), origin });

test.each<[string, Partial<Signer>]>([
  ['of all clusters', {}],
  ['of this cluster', { clusters: ['elsewhere', CLUSTER] }],
])('what an executor %s signed is an action', (_, signer) => {
  expect(from(signedBy(signer))).toEqual({ action: A, text: JSON.stringify(A) });
});

test.each<[string, Partial<Signer>, string | null, RegExp]>([
  ['a person', { role: 'approver' }, JSON.stringify(A), /only executors publish what they do/],
  [
    'an executor of another cluster',
    { clusters: ['elsewhere'] },
    JSON.stringify(A),
    /may do nothing about cluster/,
  ],
  ['an executor of no cluster', { clusters: [] }, JSON.stringify(A), /may do nothing about/],
  ['who may not forget for all', { clusters: [CLUSTER] }, null, /a tombstone names none/],
])('what %s signed is refused', (_, signer, value, why) => {
  expect(from(signedBy(signer), value)).toEqual({
    poison: expect.stringMatching(why),
    refused: 'role',
  });
});

test('what nobody signed is unproven, what is refused counts for nothing', () => {
  expect([
    from({ is: 'unsigned' }),
    from({ is: 'unsigned' }, null),
    from({ is: 'refused', reason: 'wrong-signature', why: 'it is forged' }),
  ]).toEqual([
    { action: A, text: JSON.stringify(A), unproven: true },
    { forgotten: A.id, unproven: true },
    { poison: 'it is forged', refused: 'wrong-signature' },
  ]);
});
