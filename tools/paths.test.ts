import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const HOP = /^\| `(\w+)` \| `([^`]+)` \| `([^`]+)` \| /gm;
const hops = [...read('docs/paths.md').matchAll(HOP)].map(([, name, file, caller]) => ({
  name: name!,
  file: file!,
  caller: caller!,
}));

test('the page has the hops of a change and of a removal', () => {
  expect(hops.length).toBeGreaterThan(30);
});

test.each(hops)('$name is defined in $file', ({ name, file }) => {
  expect(existsSync(join(ROOT, file))).toBe(true);
  expect(read(file)).toMatch(new RegExp(`^export (async )?(function|class|const) ${name}\\b`, 'm'));
});

test.each(hops)('$name is called from $caller', ({ name, caller }) => {
  const [imports, ...rest] = read(caller).split(/^(?=export |const |function |class |async )/m);
  expect(imports).toMatch(new RegExp(`^import[^;]*\\b${name}\\b`, 'm'));
  expect(rest.join('')).toMatch(new RegExp(`\\b${name}\\b`));
});
