import { deepFrozen } from './deep-frozen';

test('nothing in it can be written, added or taken away', () => {
  const value = deepFrozen({ list: [{ name: 'a' }], map: { key: 'b' } });
  const changes: readonly (() => unknown)[] = [
    () => (value.list[0]!.name = 'other'),
    () => value.list.push({ name: 'more' }),
    () => delete (value.map as { key?: string }).key,
    () => Object.assign(value, { added: 1 }),
  ];
  for (const change of changes) expect(change).toThrow(TypeError);
  expect(value).toEqual({ list: [{ name: 'a' }], map: { key: 'b' } });
});

test('it is the value itself, and what has no properties is left as it is', () => {
  const value = { at: null, n: 1 };
  expect(deepFrozen(value)).toBe(value);
  expect([deepFrozen(null), deepFrozen('text'), deepFrozen(undefined)]).toEqual([
    null,
    'text',
    undefined,
  ]);
});
