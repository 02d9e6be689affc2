import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { knownLedger } from './known-ledger';

const PARTITION = partitionOf('berlin-1', PARTITIONS);
const ledgerAt = (position: bigint | undefined) => ({
  position: (partition: number) => (partition === PARTITION ? position : 7n),
});
const caughtUp = (partition: number) =>
  ({
    type: 'caught-up',
    partition,
    ledger: { isRebuilt: false },
    open: 0,
  }) as unknown as Parameters<ReturnType<typeof knownLedger>['onEvent']>[0];

test('a new file is not known before the log was read, also where that has no action', () => {
  const known = knownLedger('berlin-1');
  const ledger = ledgerAt(undefined);
  expect([known.of(ledger), known.of(undefined)]).toEqual([undefined, undefined]);
  known.onEvent(caughtUp((PARTITION + 1) % PARTITIONS));
  expect(known.of(ledger)).toBeUndefined();
  known.onEvent(caughtUp(PARTITION));
  expect([known.of(ledger), known.of(undefined)]).toEqual([ledger, undefined]);
});

test('a file of an earlier life is known', () => {
  const ledger = ledgerAt(3n);
  expect(knownLedger('berlin-1').of(ledger)).toBe(ledger);
});
