import { isEarlierRevision, Seen } from './seen';

const listed = (): Seen => {
  const seen = new Seen();
  seen.clear();
  seen.listed('shop/a', 'uid-a', '90');
  seen.listedAt('100');
  return seen;
};

test('a list does not name two things alike', () => {
  expect(listed().listed('shop/a', 'uid-b', '95')).toBe(false);
});

test('what the list covers is stale, what is newer is news', () => {
  const seen = listed();
  expect(seen.put('shop/a', 'uid-a', '90').verdict).toBe('stale');
  expect(seen.put('shop/b', 'uid-b', '100').verdict).toBe('stale');
  expect(seen.put('shop/b', 'uid-b', '101')).toEqual({ verdict: 'news' });
  expect(seen.put('shop/b', 'uid-b', '101').verdict).toBe('stale');
});

test('a successor proves the end of its predecessor, an older namesake proves nothing', () => {
  const seen = listed();
  expect(seen.put('shop/a', 'uid-a2', '105')).toEqual({ verdict: 'news', replaced: 'uid-a' });
  expect(seen.put('shop/a', 'uid-a1', '103').verdict).toBe('stale');
  expect(seen.gone('shop/a', 'uid-a1', '104').verdict).toBe('stale');
  expect(seen.gone('shop/a', 'uid-a3', '110')).toEqual({ verdict: 'news', replaced: 'uid-a2' });
});

test('the end of a uid is believed at any resourceVersion', () => {
  expect(listed().gone('shop/a', 'uid-a', '90')).toEqual({ verdict: 'news' });
});

test('an object that comes back out of order is disorder', () => {
  const seen = listed();
  seen.gone('shop/a', 'uid-a', '105');
  expect(seen.put('shop/a', 'uid-a', '103').verdict).toBe('disorder');
});

test('what cannot be compared is neither older nor newer', () => {
  const seen = new Seen();
  seen.listedAt('opaque');
  expect(seen.put('shop/a', 'uid-a', 'x').verdict).toBe('news');
  expect(seen.put('shop/a', 'uid-a', 'w').verdict).toBe('news');
  expect(isEarlierRevision('9', '10')).toBe(true);
  expect(isEarlierRevision('9', '010')).toBe(false);
  expect(isEarlierRevision('x', 'y')).toBe(false);
});
