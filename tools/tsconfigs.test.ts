import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The folders of all parts, as package.json lists them. */
const PARTS = (JSON.parse(text('package.json')) as { workspaces: string[] }).workspaces
  .flatMap((workspace) =>
    workspace.endsWith('/*')
      ? readdirSync(join(ROOT, dirname(workspace))).map((name) => join(dirname(workspace), name))
      : [workspace],
  )
  .filter((it) => existsSync(join(ROOT, it, 'package.json')));

// `npm run typecheck` checks all parts at once, with the settings of the root: right while no part
// has settings or files of its own.
test.each(PARTS)(
  '%s is checked with the settings of all, and has no TypeScript beside src',
  (folder) => {
    const settings = JSON.parse(text(join(folder, 'tsconfig.json'))) as { extends: string };
    expect(settings).toEqual({
      extends: expect.stringMatching(/^(\.\.\/)+tsconfig\.base\.json$/),
      include: ['src'],
    });
    expect(readdirSync(join(ROOT, folder)).filter((file) => /\.[cm]?tsx?$/.test(file))).toEqual([]);
  },
);

test('the root checks the source of every part', () => {
  const { include } = JSON.parse(text('tsconfig.json')) as { include: string[] };
  const isIncluded = (folder: string): boolean =>
    include.some((each) =>
      [`${folder}/src`, `${dirname(folder)}/*/src`, `${folder.split('/')[0]}/**/*.ts`].includes(
        each,
      ),
    );
  expect(PARTS.filter((it) => !isIncluded(it))).toEqual([]);
  expect(PARTS.length).toBeGreaterThan(10);
});
