import type { OperationResult, TransactResult } from '@ovn-steward/ovsdb';
import { outcomeOf } from './outcome';

const done: OperationResult = { kind: 'done' };
const failed = (at: number | 'commit', details?: string): TransactResult => {
  const error = {
    kind: 'error',
    error: 'timed out',
    at,
    ...(details !== undefined && { details }),
  } as const;
  return { ok: false, results: [error], error };
};

test('results are of the caller’s operations alone', () => {
  expect(outcomeOf({ ok: true, results: [done, { kind: 'counted', count: 1 }] }, 1)).toEqual({
    is: 'committed',
    results: [{ kind: 'counted', count: 1 }],
  });
  expect(outcomeOf({ ok: true, results: [done] })).toEqual({ is: 'committed', results: [done] });
});

test('so is the place of a refusal', () => {
  expect(outcomeOf(failed(3, 'why'), 1)).toEqual({
    is: 'refused',
    error: 'timed out',
    details: 'why',
    at: 2,
  });
  expect(outcomeOf(failed(0), 1)).toEqual({ is: 'refused', error: 'timed out', at: 0 });
  expect(outcomeOf(failed('commit'), 1)).toEqual({
    is: 'refused',
    error: 'timed out',
    at: 'commit',
  });
});
