import { sameDatabase, standaloneIdentity } from './identity';

const UUID = '00000000-0000-4000-8000-000000000001';
const answer = (...rows: readonly object[]) =>
  ({ is: 'committed', results: [{ kind: 'selected', rows }] }) as never;
const row = { _uuid: ['uuid', UUID] };

test('a standalone database is known by its one row of NB_Global', () => {
  expect(standaloneIdentity(answer(row), 'nb')).toBe(`nb:${UUID}`);
});

test.each([
  ['no row', answer()],
  ['two rows', answer(row, row)],
  ['a row without a uuid', answer({})],
  ['an answer that is none', { is: 'refused', error: 'x', at: 0 } as never],
])('%s says of none which it is', (_, given) =>
  expect(() => standaloneIdentity(given, 'nb')).toThrow('is not known which'),
);

test('a database stays the one it was; the first that answers is it', () => {
  expect(sameDatabase(undefined, 'nb:a', 'nb')).toBe('nb:a');
  expect(sameDatabase('nb:a', 'nb:a', 'nb')).toBe('nb:a');
  for (const now of ['nb:b', undefined])
    expect(() => sameDatabase('nb:a', now, 'nb')).toThrow(/it is another database/);
});
