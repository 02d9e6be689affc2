import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { getFileInfo } from 'prettier';

const ROOT = join(__dirname, '..');
const OURS = ['libs', 'services', 'apps', 'tools', 'benchmarks', 'e2e'].filter((it) =>
  existsSync(join(ROOT, it)),
);
const NOT_OURS = new Set(['node_modules', 'dist']);

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesUnder(path);
    return /\.(ts|cjs|mjs)$/.test(entry.name) ? [path] : [];
  });
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = OURS.flatMap(filesUnder);
const lines = (path: string): number => read(path).split('\n').length - 1;
const IS_FOR_TESTS = /\.(test|contract)\.ts$|\/testing\/|^(tools|benchmarks|e2e)\//;
const PUBLIC_FACE = /^(services\/[^/]+|libs\/(ovsdb|client))\/src\/(index|http)\.ts$/;

/** Says nothing itself, only passes on. */
const isBarrel = (text: string): boolean =>
  /^export /m.test(text) &&
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .split(';')
    .every(
      (it) => it.trim() === '' || /^\s*(export|import)\b[^;]*\bfrom\s+['"][^'"]+['"]\s*$/.test(it),
    );

describe('the files of the repository', () => {
  it('are found at all', () => {
    expect(files.length).toBeGreaterThan(200);
  });

  it('are formatted and linted, but for what is generated', async () => {
    const generated = [
      'apps/steward/src/command-summaries.ts',
      'libs/client/src/finding.ts',
      'libs/client/src/source-status.ts',
    ];
    const formatter = join(ROOT, '.prettierignore');
    const linter = new ESLint({ cwd: ROOT });
    const unformatted: string[] = [];
    const unlinted: string[] = [];
    for (const file of files) {
      const path = join(ROOT, file);
      if ((await getFileInfo(path, { ignorePath: formatter })).ignored) unformatted.push(file);
      if (await linter.isPathIgnored(path)) unlinted.push(file);
    }
    expect(unformatted.sort()).toEqual(generated);
    expect(unlinted).toEqual([]);
  });

  it('of what ships have 400 lines at most, and hardly any more than 300', () => {
    const shipped = files.filter((it) => !IS_FOR_TESTS.test(it));
    const over = (most: number): string[] =>
      shipped.filter((it) => lines(it) > most).map((it) => `${it} ${lines(it)}`);
    expect(over(400)).toEqual([]);
    expect(over(300).length / shipped.length).toBeLessThan(0.02);
  });

  it('for tests have 650 lines at most', () => {
    expect(files.filter((it) => lines(it) > 650).map((it) => `${it} ${lines(it)}`)).toEqual([]);
  });

  it('are seldom shorter than ten lines: a thing is a file, not every line of it', () => {
    const short = files.filter((it) => lines(it) < 10);
    expect(short.length / files.length).toBeLessThan(0.1);
  });

  it('are no barrels, but for the public faces', () => {
    expect(files.filter((it) => !PUBLIC_FACE.test(it) && isBarrel(read(it)))).toEqual([]);
  });

  it('of the public faces name each thing they show', () => {
    expect(
      files.filter((it) => PUBLIC_FACE.test(it) && /^export \*(?! as )/m.test(read(it))),
    ).toEqual([]);
  });
});
