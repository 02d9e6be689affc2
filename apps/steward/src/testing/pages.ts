import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const ROOT = join(__dirname, '..', '..', '..', '..');

/** A fenced block: what follows its fence, and where it begins. */
export interface Block {
  readonly page: string;
  readonly line: number;
  /** `sh run exits=2`: the language first, then words of ours. */
  readonly info: string;
  readonly text: string;
}

const inFolder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((it) => it.endsWith('.md'))
    .map((it) => join(folder, it));

/** Every page for people, by its path from the root. */
export const PAGES: readonly string[] = [
  ...inFolder('.'),
  ...inFolder('docs'),
  ...inFolder('docs/domain'),
  'deploy/helm/ovn-steward/README.md',
  'libs/ovsdb/README.md',
  'tools/testbed/README.md',
].filter((it) => existsSync(join(ROOT, it)));

export const pageText = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** @throws Error for a fence that does not end. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  pageText(page)
    .split('\n')
    .forEach((text, index) => {
      const fence = /^```(.*)$/.exec(text);
      if (open && fence) {
        blocks.push({ page, line: open.line, info: open.info, text: `${open.lines.join('\n')}\n` });
        open = undefined;
      } else if (open) open.lines.push(text);
      else if (fence) open = { info: fence[1]!.trim(), line: index + 1, lines: [] };
    });
  if (open) throw new Error(`${page}:${open.line} opens a block that does not end`);
  return blocks;
}

/** The page without its fenced blocks. */
const proseOf = (page: string): string => pageText(page).replace(/^```[\s\S]*?^```$/gm, '');

/** Links to files of the repository: the path from the root, and the heading meant, if any. */
export const linksOf = (
  page: string,
): { readonly to: string; readonly heading: string | undefined }[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((it) => it[1]!)
    .filter((it) => !/^[a-z]+:/.test(it))
    .map((link) => {
      const [path, heading] = link.split('#');
      return { to: path ? normalize(join(dirname(page), path)) : page, heading };
    });

/** The anchors a page offers, as GitHub makes them from headings. */
export const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Paths in code spans that begin with a folder of the repository. */
export const pathsNamedIn = (page: string): string[] =>
  [
    ...proseOf(page).matchAll(
      /`((?:\.ci|apps|benchmarks|contracts|deploy|docs|e2e|examples|libs|services|tools)\/[\w./-]+)`/g,
    ),
  ].map((it) => it[1]!);

/**
 * Files of code in code spans without the folder they begin in (`action-kit/action.ts`). Names that
 * stand for any file are left out: `x.test.ts`, `.int.test.ts`.
 */
export const filesNamedIn = (page: string): string[] =>
  [...proseOf(page).matchAll(/`([\w-][\w./-]*\.(?:ts|cjs|mjs))`/g)]
    .map((it) => it[1]!)
    .filter((it) => !/^x\./.test(it) && !pathsNamedIn(page).includes(it));
