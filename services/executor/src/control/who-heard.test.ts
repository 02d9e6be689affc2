import type { HeardBy } from './control-state';
import { whoHeard } from './who-heard';

const by = (since: string, ...ids: string[]): HeardBy => ({
  since: `2026-03-02T${since}Z`,
  at: `2026-03-02T${since}Z`,
  ids: new Set(ids),
});
const who = (heard: Readonly<Record<string, HeardBy>>) =>
  whoHeard({ heard: new Map(Object.entries(heard)) }, ['a', 'b']);

test('all heard when the executor that acts did: who began last', () => {
  const former = { executor: 'former', at: '2026-03-02T10:00:00Z', replaced: true };
  expect(who({ former: by('10:00:00'), now: by('11:00:00', 'a', 'b', 'c') })).toEqual({
    all: true,
    heard: [{ executor: 'now', at: '2026-03-02T11:00:00Z' }],
    unheard: [former],
  });
  expect(who({ former: by('10:00:00', 'a', 'b'), now: by('11:00:00', 'a') })).toEqual({
    all: false,
    heard: [{ executor: 'former', at: '2026-03-02T10:00:00Z' }],
    unheard: [{ executor: 'now', at: '2026-03-02T11:00:00Z', replaced: false }],
  });
});

test('of two that began in one moment both act, for all one knows', () => {
  const one = by('10:00:00', 'a', 'b');
  expect(who({ one, other: by('10:00:00') }).all).toBe(false);
  expect(who({ one, other: by('10:00:00', 'a', 'b') }).all).toBe(true);
});

test('one whose beginning cannot be read may act', () => {
  expect(who({ one: by('10:00:00', 'a', 'b'), other: { ...by('x'), since: 'x' } }).all).toBe(false);
});

test('where no executor follows decisions nobody heard', () => {
  expect(who({})).toEqual({ all: false, heard: [], unheard: [] });
});
