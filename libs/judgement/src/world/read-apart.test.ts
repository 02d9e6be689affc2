import { readApart } from './read-apart';
import type { StreamState } from './streams';

const stream = (name: string, seconds: number, complete = true): StreamState => ({
  stream: name,
  source: name === 'ovn-nb' ? 'ovn-nb' : 'kubernetes',
  epoch: 1,
  seq: 1,
  cursor: '',
  observedThrough: new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString(),
  kinds: [],
  completeness: complete ? { state: 'complete' } : { state: 'listing' },
});

/** When the database was read, when the newest object was made, and when a Lease was renewed last, in seconds. */
const apart = (database: number, made: number, renewed: number, hasLeases = true) =>
  readApart(
    [
      stream('ovn-nb', database),
      stream('kubernetes/Pod', made),
      stream('kubernetes/Lease', renewed),
    ],
    hasLeases,
  );

test.each([
  ['at once', 0, 0, 0],
  ['a minute later than the database', 0, 60, 60],
  ['a minute earlier than the database', 60, 0, 0],
  ['at once, when nothing was made for a day', 86_400, 0, 86_400],
])('of one moment: %s', (_, database, made, renewed) =>
  expect(apart(database, made, renewed)).toBeUndefined(),
);

test('not of one moment: an object was made later than the database was read', () =>
  expect(apart(0, 61, 0)).toMatch(/objects were recorded more than a minute after the database/));

test('not of one moment: the database was read later than any Lease was renewed', () => {
  expect(apart(61, 0, 0)).toMatch(/database was recorded more than a minute after the Leases/);
  expect(apart(61, 0, 0, false)).toBeUndefined();
});

test('that a Lease was renewed since says nothing about a database in which nothing happened', () =>
  expect(apart(0, 0, 3600)).toBeUndefined());

test('what is not complete says nothing', () => {
  const streams = [stream('ovn-nb', 0), stream('kubernetes/Pod', 3600, false)];
  expect(readApart(streams, true)).toBeUndefined();
  expect(readApart([stream('kubernetes/Pod', 3600)], true)).toBeUndefined();
});
