import { readdirSync } from 'node:fs';
import { TALLIES } from './registry';

const files = readdirSync(__dirname)
  .filter((it) => it.endsWith('.ts') && !it.endsWith('.test.ts') && it !== 'registry.ts')
  .map((it) => it.slice(0, -'.ts'.length));

test('the list is the folder, in order, each id the name of its file', () =>
  expect(TALLIES.map((it) => it.id)).toEqual(files.sort()));
