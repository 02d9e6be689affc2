import { readApart } from './read-apart';
import type { StreamState } from './streams';

const stream = (name: string, seconds: number, complete = true): StreamState => ({
  stream: name,
  source: name === 'ovn-nb' || name === 'ovn-sb' ? name : 'kubernetes',
  epoch: 1,
  seq: 1,
  cursor: '',
  observedThrough: new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString(),
  kinds: [],
  completeness: complete ? { state: 'complete' } : { state: 'listing' },
});

/** When the database was read, and when the newest object was made, in seconds. */
const apart = (database: number, made: number) =>
  readApart([stream('ovn-nb', database), stream('kubernetes/Pod', made)]);

test.each([
  ['at once', 0, 0],
  ['a minute later than the database', 0, 60],
  ['a day earlier than the database, since nothing was made', 86_400, 0],
])('of one moment: %s', (_, database, made) => expect(apart(database, made)).toBeUndefined());

test('not of one moment: an object was made later than the database was read', () =>
  expect(apart(0, 61)).toMatch(/objects were recorded more than a minute after the database/));

test('what is not complete says nothing', () => {
  const streams = [stream('ovn-nb', 0), stream('kubernetes/Pod', 3600, false)];
  expect(readApart(streams)).toBeUndefined();
  expect(readApart([stream('kubernetes/Pod', 3600)])).toBeUndefined();
});

test('each database is compared with the objects, and not with the other', () => {
  const streams = [stream('ovn-nb', 0), stream('ovn-sb', 3600), stream('kubernetes/Pod', 0)];
  expect(readApart(streams)).toBeUndefined();
  expect(readApart(streams, 'ovn-sb')).toBeUndefined();
  const late = [stream('ovn-nb', 3600), stream('ovn-sb', 0), stream('kubernetes/Pod', 3600)];
  expect(readApart(late)).toBeUndefined();
  expect(readApart(late, 'ovn-sb')).toMatch(/more than a minute after the database/);
});
