import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTable } from './consumer-table';

const folder = mkdtempSync(join(tmpdir(), 'steward-table-'));
const file = join(folder, 'table.json');
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string) => {
  writeFileSync(file, text);
  return readTable(file);
};
const row = { id: 'a', revision: 2, state: 'confirmed' };

test('an array, lines, other columns, numbers as text, and nothing', () => {
  expect(read(JSON.stringify([row]))).toEqual([row]);
  expect(read(`${JSON.stringify(row)}\n${JSON.stringify({ ...row, note: 1 })}\n`)).toEqual([
    row,
    row,
  ]);
  expect(read(JSON.stringify([{ ...row, revision: '2' }]))).toEqual([row]);
  expect(read('')).toEqual([]);
});

const withRevision = (revision: unknown): string => JSON.stringify([{ ...row, revision }]);

test.each([
  ...['{', '[1]', '[{"id":"a"}]'],
  ...['many', null, '', true, -1, 1.5].map(withRevision),
])('no table: %s', (text) => {
  expect(() => read(text)).toThrow(/id, revision and state/);
});

test('says which row, and not all of a long table', () => {
  const bad = { ...row, revision: null };
  expect(() => read([row, bad].map((it) => JSON.stringify(it)).join('\n'))).toThrow(/row 2/);
  expect(() => read(`${JSON.stringify(row)}\n{`)).toThrow(/row 2/);
  expect(() => read(JSON.stringify([row, ...Array<object>(1000).fill(bad)]))).toThrow(/^.{0,400}$/);
});

test('a file that is not there', () => {
  expect(() => readTable(join(folder, 'none'))).toThrow(/cannot be read/);
});
