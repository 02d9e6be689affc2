import { contextFilter } from './dockerignore';

describe('contextFilter', () => {
  it('lets the last pattern decide that names the path or a folder it is in', () => {
    const takes = contextFilter(
      '# only these\n**\n!package.json\n!libs\n**/dist\n**/*.test.ts\n!libs/kept/dist\n',
    );
    const paths = [
      'package.json',
      'other.json',
      'libs',
      'libs/a/src/x.ts',
      'libs/a/src/x.test.ts',
      'libs/a/dist/x.js',
      'libs/kept/dist/x.js',
      'src/libs/x.ts',
    ];
    expect(paths.filter(takes)).toEqual([
      'package.json',
      'libs',
      'libs/a/src/x.ts',
      'libs/kept/dist/x.js',
    ]);
  });

  it('takes `*` for a part of a name and `**` for any folders, none among them', () => {
    const leaves = (pattern: string, path: string): boolean => !contextFilter(pattern)(path);
    expect([
      leaves('*.md', 'a.md'),
      leaves('*.md', 'docs/a.md'),
      leaves('**/*.md', 'a.md'),
      leaves('**/*.md', 'x/y/a.md'),
      leaves('/a/', 'a/b'),
      leaves('a.b', 'aXb'),
    ]).toEqual([true, false, true, true, true, false]);
  });
});
