import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const SHIPPED = /^(libs|services|apps)\//;
const IS_FOR_TESTS = /\.(test|contract)\.ts$|\/testing\/|^libs\/ovsdb\/test\//;
const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:class|const enum|const|enum|function\*?|interface|let|type) (\w+)/gm;

/** What stands twice on purpose: these names, in these files alone. */
const ON_PURPOSE: readonly {
  readonly names: readonly string[];
  readonly files: readonly string[];
  readonly why: string;
}[] = [
  {
    names: ['Cause', 'Fact', 'Finding', 'Ownership', 'Remedy', 'Suppression'],
    files: ['libs/client/src/finding.ts', 'libs/contracts/src/findings/finding.ts'],
    why: 'the client imports nothing of ours, and says the contract in its own words',
  },
  {
    names: ['Reference'],
    files: ['libs/client/src/finding.ts', 'libs/contracts/src/identity/reference.ts'],
    why: 'as Finding',
  },
  {
    names: ['Selector'],
    files: ['libs/client/src/finding.ts', 'libs/contracts/src/identity/selector.ts'],
    why: 'as Finding',
  },
  {
    names: ['SourceStatus'],
    files: ['libs/client/src/source-status.ts', 'libs/contracts/src/status/source-status.ts'],
    why: 'as Finding',
  },
  {
    names: ['FollowOptions'],
    files: ['libs/client/src/follow-findings.ts', 'libs/ovsdb/src/session/follow-database.ts'],
    why: 'each is the public API of a package of its own',
  },
  {
    names: ['main'],
    files: ['apps/steward/src/main.ts', 'apps/steward/src/wait/main.ts'],
    why: 'each is where a program begins',
  },
];

interface Definition {
  readonly file: string;
  readonly line: number;
}

const namesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    [...text.matchAll(EXPORTED)]
      .reverse()
      .map((it) => [it[1]!, text.slice(0, it.index).split('\n').length]),
  );

/** The names that several files export, each with all its places. A file may merge two into one. */
function namedTwice(
  files: Iterable<readonly [file: string, text: string]>,
): ReadonlyMap<string, readonly Definition[]> {
  const all = new Map<string, Definition[]>();
  for (const [file, text] of files)
    for (const [name, line] of namesIn(text))
      all.set(name, [...(all.get(name) ?? []), { file, line }]);
  return new Map([...all].filter(([, places]) => places.length > 1));
}

const isOnPurpose = (name: string, places: readonly Definition[]): boolean =>
  ON_PURPOSE.some(
    ({ names, files }) => names.includes(name) && places.every(({ file }) => files.includes(file)),
  );

const complaints = (twice: ReturnType<typeof namedTwice>): readonly string[] =>
  [...twice]
    .filter(([name, places]) => !isOnPurpose(name, places))
    .map(
      ([name, places]) =>
        `${name}: ${places.map(({ file, line }) => `${file}:${line}`).join(' and ')}. ` +
        'Are they one thing? Then keep one and import it. ' +
        'If not, rename the less central one by what it is where it stands.',
    );

const LISTED = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'];
const twice = namedTwice(
  execFileSync('git', LISTED, { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((it) => SHIPPED.test(it) && !IS_FOR_TESTS.test(it) && existsSync(join(ROOT, it)))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);

test('a name that shipped code exports occurs once', () => {
  expect(complaints(twice)).toEqual([]);
});

test.each(ON_PURPOSE.flatMap(({ names, files }) => names.map((name) => ({ name, files }))))(
  '$name stands twice, or is no exception any more',
  ({ name, files }) => {
    expect((twice.get(name) ?? []).map((it) => it.file).sort()).toEqual([...files].sort());
  },
);

test.each([
  'export const place = 1;',
  'export async function place(): Promise<void> {}',
  'export function* place() {}',
  'export abstract class place {}',
  'export interface place {}',
  'export type place = string;',
  'export const enum place {}',
  'export enum place {}',
])('sees a second %s, and says where both are', (text) => {
  const [complaint, ...rest] = complaints(
    namedTwice([
      ['a.ts', 'export type Other = 1;\n\nexport const place = 1;\n'],
      ['b.ts', text],
    ]),
  );
  expect(complaint).toMatch(/^place: a\.ts:3 and b\.ts:1\. .*import it.*rename/);
  expect(rest).toEqual([]);
});

test('does not mind one file with a type and a value, a name that is passed on or not exported', () => {
  expect(
    complaints(
      namedTwice([
        ['a.ts', 'export const Place = z.string();\nexport type Place = z.infer<typeof Place>;\n'],
        ['b.ts', "export { Place } from './a';\nconst Place = 1;\n  export const Place = 1;\n"],
      ]),
    ),
  ).toEqual([]);
});

test('an exception holds for its own files alone', () => {
  const at = (...files: readonly string[]) =>
    complaints(namedTwice(files.map((it) => [it, 'export function main() {}'])));
  expect(at('apps/steward/src/main.ts', 'apps/steward/src/wait/main.ts')).toEqual([]);
  expect(at('apps/steward/src/main.ts', 'apps/steward/src/other.ts')).toHaveLength(1);
});
