import type { Action } from '../action-kit/action';

/** @param first what must be done before it within a plan: what names or uses what it removes. */
export function describeRank(action: Action, ...first: readonly Action[]): void {
  test.each(first)(`$id is done before ${action.id}`, ({ rank }) =>
    expect(rank).toBeLessThan(action.rank),
  );
}
