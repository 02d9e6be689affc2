import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const PAGES = 'docs/domain';
/** A section or row that is cited without its page is one of this. */
const USUAL = 'kube-ovn';

const NUMBER = String.raw`\d+(?:\.\d+)*[a-z]?`;
const BETWEEN = String.raw`(?:\s*–\s*|,\s+|\s+and\s+)`;
const SECTIONS = `§${NUMBER}(?:${BETWEEN}§${NUMBER})*`;
const ROWS = String.raw`rows?\s+\d{1,2}[a-z]?\b(?:${BETWEEN}\d{1,2}[a-z]?\b)*`;
/**
 * The page or RFC, sections, rows: `kube-ovn.md §7.2, rows 34 and 39`. Rows alone stand in brackets
 * or quotes.
 */
const CITED = new RegExp(
  String.raw`(?:(RFC\s+\d+|[\w-]+\.md)${'`'}?,?\s+)?(?:(${SECTIONS})(?:,\s+(${ROWS}))?|(?<=\.md,?\s+|[('"])(${ROWS}))`,
  'g',
);

interface Page {
  readonly sections: ReadonlySet<string>;
  readonly rows: ReadonlySet<string>;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const domain = readdirSync(join(ROOT, PAGES)).map((it) => it.replace(/\.md$/, ''));
/** The page that is cited, and those it leads to: `kube-ovn-objects` is a part of `kube-ovn`. */
const cited = domain.filter((it) => it !== 'README' && !partOf(it));

function partOf(page: string): string | undefined {
  return domain.find((it) => page.startsWith(`${it}-`));
}

const sectionsIn = (page: string): string[] =>
  [...read(`${PAGES}/${page}.md`).matchAll(new RegExp(`^#+ §(${NUMBER}) `, 'gm'))].map(
    (it) => it[1]!,
  );

const pages = new Map<string, Page>(
  cited.map((page) => {
    const parts = domain.filter((it) => it === page || partOf(it) === page);
    const rows = parts.flatMap((part) => [
      ...read(`${PAGES}/${part}.md`).matchAll(/^\| (\d+[a-z]?) \| [GLDWX] \|/gm),
    ]);
    return [
      page,
      { sections: new Set(parts.flatMap(sectionsIn)), rows: new Set(rows.map((it) => it[1]!)) },
    ];
  }),
);

/** With the marks of a comment as blanks, so that a citation may go over the end of a line. */
const withoutMarks = (text: string): string =>
  text.replace(/\n[ \t]*(?:\*|\/\/)/g, (it) => `\n${' '.repeat(it.length - 1)}`);

/** What the text cites and is not there, as `<file>:<line>: <citation>`. */
function brokenIn(file: string, text: string): { readonly found: number; broken: string[] } {
  const at = domain.find((it) => file === `${PAGES}/${it}.md`);
  const own = at === undefined || at === 'README' ? USUAL : (partOf(at) ?? at);
  const broken: string[] = [];
  let found = 0;
  for (const match of withoutMarks(text).matchAll(CITED)) {
    const [all, where = `${own}.md`, sections = '', rowsOfSection, rowsAlone] = match;
    if (where.startsWith('RFC')) continue;
    const page = pages.get(where.replace(/\.md$/, ''));
    const numbers = [...sections.matchAll(new RegExp(`§(${NUMBER})`, 'g'))].map((one) => one[1]!);
    const rows = (rowsOfSection ?? rowsAlone ?? '').match(/\d+[a-z]?/g) ?? [];
    found += numbers.length + rows.length;
    if (numbers.every((one) => page?.sections.has(one)) && rows.every((one) => page?.rows.has(one)))
      continue;
    broken.push(`${file}:${text.slice(0, match.index).split('\n').length}: ${all}`);
  }
  return { found, broken };
}

describe('citations of what the domain pages say', () => {
  // `--untracked`: files that Git would add are read before they are committed.
  const search = ['grep', '--untracked', '-IlE', '§|rows? [0-9]'];
  const files = execFileSync('git', search, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const results = files.map((file) => brokenIn(file, read(file)));

  it('are found', () => {
    expect(results.reduce((sum, it) => sum + it.found, 0)).toBeGreaterThan(300);
  });

  it('lead to a section or row that is there', () => {
    expect(results.flatMap((it) => it.broken)).toEqual([]);
  });

  it.each([
    ['a section that is not there', '/* (kube-ovn.md \u00a77.9) */'],
    ['one of several', '// kube-ovn.md \u00a77.2, \u00a77.9 and \u00a78'],
    ['one on the next line', '/**\n * (ovn-northbound.md\n * \u00a71.9)\n */'],
    ['one without its page', '// as usual (\u00a799)'],
    ['a page that is not there', '// kube-ovn-live.md \u00a71'],
    ['a row that is not there', '// kube-ovn.md \u00a77.3, rows 43 and 99'],
    ['a row without its section', '// kube-ovn.md\u0020row 99'],
    ['a row alone', "what: 'row\u002099'"],
  ])('fail for %s', (_, text) => {
    expect(brokenIn('a.ts', text).broken).toHaveLength(1);
  });

  it('leave sections of an RFC alone, and rows that are none of ours', () => {
    const text = '// RFC 7047 \u00a799, taken by row 00000000-0000-4000-8000-00000000000c';
    expect(brokenIn('a.ts', text)).toEqual({ found: 0, broken: [] });
  });
});

describe('the domain pages', () => {
  it.each(cited)('%s lists each section once, with where it is', (page) => {
    const parts = domain.filter((it) => it === page || partOf(it) === page);
    const there = parts.flatMap((part) =>
      sectionsIn(part).map((it) => `${it} ${part === page ? '' : `${part}.md`}`),
    );
    const listed = [...read(`${PAGES}/${page}.md`).matchAll(/^\| \[§(\S+)\]\(([^#]*)#/gm)].map(
      (it) => `${it[1]!} ${it[2]!}`,
    );
    expect(listed.sort()).toEqual(there.sort());
  });
});
