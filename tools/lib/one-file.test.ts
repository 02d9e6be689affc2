import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { oneFile } = createRequire(__filename)('./one-file.cjs') as {
  oneFile(entry: string): string;
};

const ROOT = join(__dirname, '..', '..');
const FILE = 'deploy/wait/steward-wait.cjs';

test(`${FILE} is what the code says; after a change run \`npm run generate\``, () => {
  expect(readFileSync(join(ROOT, FILE), 'utf8')).toBe(oneFile('apps/steward/src/wait/main'));
});

test('it asks for nothing but parts of Node', () => {
  const requested = [
    ...readFileSync(join(ROOT, FILE), 'utf8').matchAll(/require\("([^"]+)"\)/g),
  ].map(([, name]) => name);
  expect(requested.length).toBeGreaterThan(3);
  expect(requested.filter((it) => !it?.startsWith('node:'))).toEqual([]);
});

test('a package is refused', () =>
  expect(() => oneFile('libs/shared/src/settings/duration')).toThrow(
    'imports zod, and a file for Node alone has no packages',
  ));
