import { z } from 'zod';
import { IN_PAGES, pageOf } from './page';

const items = ['c', 'a', 'b'].map((id) => ({ id }));

it('gives the items in the order of their ids, each on one page', () => {
  expect(pageOf(items, { limit: 2 })).toEqual({ shown: [{ id: 'a' }, { id: 'b' }], next: 'b' });
  expect(pageOf(items, { limit: 2, after: 'b' })).toEqual({ shown: [{ id: 'c' }], next: null });
  expect(pageOf(items, { limit: 3 }).next).toBeNull();
  expect(pageOf([], { limit: 1 })).toEqual({ shown: [], next: null });
});

it('goes on behind an id that is there no more', () => {
  expect(pageOf(items, { limit: 1, after: 'aa' })).toEqual({ shown: [{ id: 'b' }], next: 'b' });
});

it('leaves the items it is given in their order', () => {
  pageOf(items, { limit: 1 });
  expect(items.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});

it('bounds a page', () => {
  const query = z.strictObject(IN_PAGES);
  expect(query.parse({})).toEqual({ limit: 100 });
  expect(query.parse({ limit: '1000' }).limit).toBe(1000);
  for (const limit of ['0', '1001', '1.5', 'x'])
    expect(query.safeParse({ limit }).success).toBe(false);
});
