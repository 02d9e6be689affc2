import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SourceId } from '@ovn-steward/contracts/identity/reference';
import { SOURCE_TYPES } from './registry';

const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.source.ts'))
  .map((path) => path.slice(0, -'.ts'.length));

test('has every source type of the folders, and nothing else', () => {
  const exported = files.flatMap((file) =>
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- what is there decides
    Object.values(require(join(__dirname, `${file}.ts`)) as object),
  );
  expect(exported).toHaveLength(files.length);
  expect(new Set(Object.values(SOURCE_TYPES).flat())).toEqual(new Set(exported));
});

test('has a type for each system, and one for it while it lives', () => {
  expect(Object.keys(SOURCE_TYPES).sort()).toEqual([...SourceId.options].sort());
  for (const types of Object.values(SOURCE_TYPES))
    expect(types.map((type) => type.isLive)).toContain(true);
});

test('has a test beside each that calls the contract', () => {
  for (const file of files) {
    const tests = [`${file}.test.ts`, `${file}.int.test.ts`].filter((it) =>
      existsSync(join(__dirname, it)),
    );
    expect([file, tests.length]).toEqual([file, 1]);
    expect(readFileSync(join(__dirname, tests[0]!), 'utf8')).toContain('describeSourceType(');
  }
});
