import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@ovn-steward/shared/settings/config';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { EXIT } from '../process/exit-codes';
import { stewardProgram } from '../program';
import type { Block } from '../testing/pages';
import {
  anchorsOf,
  blocksOf,
  filesNamedIn,
  linksOf,
  pageText,
  PAGES,
  pathsNamedIn,
  ROOT,
} from '../testing/pages';
import { generatedFiles } from './generated-files';

/** Pages that say what to write where. */
const FOR_CHANGES = ['CONTRIBUTING.md', 'ARCHITECTURE.md', 'docs/adding-a-rule.md'];
const BLOCKS = PAGES.flatMap((page) => blocksOf(page));
const at = (it: Block): string => `${it.page}:${it.line}`;

describe('what is generated', () => {
  it('says what the code says; after a change run `npm run generate`', async () => {
    const files = await generatedFiles(ROOT);
    expect(files.length).toBeGreaterThan(10);
    for (const { path, text } of files)
      expect({ path, text: pageText(path) }).toEqual({ path, text });
  });
});

describe('what pages point at', () => {
  it('is there: every link, and the heading it names', () => {
    const broken = PAGES.flatMap((page) =>
      linksOf(page)
        .filter(
          ({ to, heading }) =>
            !existsSync(join(ROOT, to)) ||
            (heading !== undefined && !anchorsOf(to).includes(heading)),
        )
        .map(({ to, heading }) => `${page} → ${to}${heading === undefined ? '' : `#${heading}`}`),
    );
    expect(broken).toEqual([]);
  });

  it('is there: every file named', () => {
    expect(
      PAGES.flatMap((page) =>
        pathsNamedIn(page)
          .filter((it) => !existsSync(join(ROOT, it)))
          .map((it) => `${page}: ${it}`),
      ),
    ).toEqual([]);
  });

  it.each(FOR_CHANGES)('is one file: each that %s names without its folder', (page) => {
    const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*js'];
    const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const meant = (name: string): string[] => files.filter((it) => `/${it}`.endsWith(`/${name}`));
    const unclear = filesNamedIn(page).filter((it) => meant(it).length !== 1);
    expect(unclear.map((it) => ({ [it]: meant(it) }))).toEqual([]);
  });

  it('is listed: every page of docs in its index', () => {
    const listed = linksOf('docs/README.md').map(({ to }) => to);
    expect(
      PAGES.filter((page) => /^docs\/[^/]+$/.test(page) && page !== 'docs/README.md').filter(
        (page) => !listed.includes(page),
      ),
    ).toEqual([]);
  });

  it('is reachable: every page from the README', () => {
    const seen = new Set(['README.md']);
    for (const page of seen)
      for (const { to } of linksOf(page)) if (PAGES.includes(to)) seen.add(to);
    expect(PAGES.filter((it) => !seen.has(it))).toEqual([]);
  });
});

describe('examples', () => {
  const shell = BLOCKS.filter((it) => it.info.startsWith('sh'));

  it('call commands that exist, with options that exist', async () => {
    const program = await stewardProgram(() => undefined);
    const calls = shell.flatMap((block) =>
      block.text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .flatMap((line) =>
          [...line.matchAll(/(?:^|npx )steward +([a-z-]+)([^|;&#>]*)/g)].map((match) => ({
            where: at(block),
            name: match[1]!,
            options: match[2]!.match(/--[a-z-]+/g) ?? [],
          })),
        ),
    );
    expect(calls.length).toBeGreaterThan(5);
    const wrong = calls.filter(({ name, options }) => {
      const command = program.commands.find((it) => it.name() === name);
      return (
        !command ||
        options.some(
          (option) =>
            ![command, ...command.commands].some(({ options: known }) =>
              known.some(({ long }) => long === option),
            ) && option !== '--help',
        )
      );
    });
    expect(wrong).toEqual([]);
  });

  it('call npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: object;
    };
    const called = BLOCKS.flatMap((block) =>
      [...block.text.matchAll(/\bnpm (?:run (?:--?[a-z-]+ )*)?([a-z][a-z0-9]*)/g)].map(
        (call) => call[1]!,
      ),
    ).filter((it) => !['ci', 'install', 'run'].includes(it));
    expect(called.filter((it) => !Object.hasOwn(scripts, it))).toEqual([]);
  });

  const runnable = shell.filter((it) => /\brun\b/.test(it.info));
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'steward-docs-'));
    symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(runnable.map((it) => [at(it), it] as const))(
    '%s does what the page says',
    async (_, block) => {
      if (!existsSync(join(ROOT, 'apps/steward/dist/bundle/main.mjs')))
        throw new Error('apps/steward is not built: run npm run build first');
      const { code, stdout, stderr } = await bash(block.text, folder);
      expect({ code, stderr }).toEqual({
        code: Number(/exits=(\d)/.exec(block.info)?.[1] ?? 0),
        stderr: '',
      });
      const next = BLOCKS[BLOCKS.indexOf(block) + 1];
      if (next?.info === 'text output') expect(missing(next.text, stdout)).toEqual([]);
    },
  );

  it('are tried at all', () => expect(runnable.length).toBeGreaterThan(4));

  it.each(BLOCKS.filter((it) => it.info === 'yaml settings').map((it) => [at(it), it] as const))(
    '%s is a configuration',
    (_, { text }) => {
      const file = join(folder, 'settings.yaml');
      writeFileSync(file, text);
      expect(() => loadConfig({ schema: Settings, file, env: {}, flags: {} })).not.toThrow();
    },
  );
});

describe('tables', () => {
  it.each(['README.md', 'docs/commands.md'])('of exit codes in %s are the program’s', (page) => {
    const [, table] =
      /\| Exit code \| Meaning \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(pageText(page)) ?? [];
    expect([...table!.matchAll(/^\| (\d) \|/gm)].map((it) => Number(it[1]))).toEqual(
      Object.values(EXIT).sort(),
    );
  });
});

/**
 * What a page shows that is not in the output: its lines, in one piece between lines of only `…`,
 * which stand for any lines that were left out.
 */
function missing(shown: string, output: string): string[] {
  const lines = `\n${output.replace(/[^\S\n]+$/gm, '')}\n`;
  let from = 0;
  return shown
    .split(/^…\n/m)
    .filter((it) => it !== '')
    .filter((part) => {
      const found = lines.indexOf(`\n${part}`, from);
      if (found >= 0) from = found + part.length;
      return found < 0;
    });
}

/**
 * Runs a block as somebody would who copied it, in a folder that has the examples and nothing else.
 */
function bash(
  script: string,
  cwd: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const npx = `npx() { [ "$1" = steward ] || return 127; shift; '${process.execPath}' '${join(ROOT, 'apps/steward/bin/steward.cjs')}' "$@"; }\n`;
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', NO_COLOR: '1' };
    execFile(
      'bash',
      ['-c', `${npx}${script}`],
      { cwd, env, encoding: 'utf8' },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
          stdout,
          stderr,
        }),
    );
  });
}
