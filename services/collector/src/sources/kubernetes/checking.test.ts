import { unchangedAt } from './checking';
import type { Page } from '@ovn-steward/systems/kubernetes/list-pages';
import { Seen } from './seen';

const item = (name: string, uid = `uid-${name}`, resourceVersion = '90') => ({
  metadata: { namespace: 'shop', name, uid, resourceVersion },
});

function reported(...items: ReturnType<typeof item>[]): Seen {
  const seen = new Seen();
  for (const { metadata } of items)
    seen.listed(`shop/${metadata.name}`, metadata.uid, metadata.resourceVersion);
  return seen;
}

async function* pages(...all: unknown[][]): AsyncGenerator<Page> {
  for (const [i, items] of all.entries())
    yield { items, resourceVersion: '100', last: i === all.length - 1 };
}

test('what shows the same, over however many pages, vouches for it', async () => {
  expect(
    await unchangedAt(pages([item('a')], [item('b')]), reported(item('a'), item('b')), '95'),
  ).toBe('100');
  expect(await unchangedAt(pages([]), reported(), '100')).toBe('100');
});

test.each<[string, unknown[], ReturnType<typeof item>[]]>([
  ['one more', [item('a'), item('b')], [item('a')]],
  ['one less', [item('a')], [item('a'), item('b')]],
  ['another one', [item('b')], [item('a')]],
  ['one twice instead of another', [item('a'), item('a')], [item('a'), item('b')]],
  ['a later state', [item('a', 'uid-a', '91')], [item('a')]],
  ['an earlier state', [item('a', 'uid-a', '89')], [item('a')]],
  ['a namesake', [item('a', 'uid-2')], [item('a')]],
  ['a resourceVersion nobody can compare', [item('a', 'uid-a', 'x1')], [item('a', 'uid-a', 'x1')]],
  ['no metadata', [{}], [item('a')]],
  ['no object', [null], [item('a')]],
])('a list with %s vouches for nothing', async (_name, items, before) => {
  expect(await unchangedAt(pages(items), reported(...before), '95')).toBeUndefined();
});

test('neither does a list from before the position that was reached', async () => {
  expect(await unchangedAt(pages([item('a')]), reported(item('a')), '101')).toBeUndefined();
});

test('nor one of which nothing came', async () => {
  expect(await unchangedAt(pages(), reported(), '95')).toBeUndefined();
});

test('a list is left at the first difference', async () => {
  let taken = 0;
  async function* endless(): AsyncGenerator<Page> {
    for (;;) {
      taken += 1;
      yield { items: [item('new')], resourceVersion: '100', last: false };
    }
  }
  expect(await unchangedAt(endless(), reported(item('a')), '95')).toBeUndefined();
  expect(taken).toBe(1);
});
