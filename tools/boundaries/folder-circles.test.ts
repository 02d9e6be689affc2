import { createRequire } from 'node:module';

interface Import {
  readonly from: string;
  readonly to: string;
}

const { folderCircles } = createRequire(__filename)('./folder-circles.cjs') as {
  folderCircles(
    imports: readonly Import[],
  ): { readonly folders: readonly string[]; readonly imports: readonly Import[] }[];
};

const imports = (...lines: string[]): Import[] =>
  lines.map((line) => {
    const [from, to] = line.split(' > ') as [string, string];
    return { from, to };
  });

test('folders that import only downward are in no circle', () => {
  expect(folderCircles(imports('a/x.ts > b/y.ts', 'b/y.ts > c/z.ts', 'a/x.ts > c/z.ts'))).toEqual(
    [],
  );
});

test('two folders that need each other are a circle, with the imports that tie it', () => {
  const tied = imports('a/x.ts > b/y.ts', 'b/other.ts > a/w.ts');
  expect(folderCircles([...tied, ...imports('b/y.ts > c/z.ts')])).toEqual([
    { folders: ['a', 'b'], imports: tied },
  ]);
});

test('a longer way round is a circle, too, and two circles are two', () => {
  const circles = folderCircles(
    imports(
      'a/1.ts > b/1.ts',
      'b/2.ts > c/1.ts',
      'c/2.ts > a/2.ts',
      'd/1.ts > a/1.ts',
      'd/2.ts > e/1.ts',
      'e/1.ts > d/3.ts',
    ),
  );
  expect(circles.map(({ folders }) => folders)).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
});

test('a folder and one that lies in it are two', () => {
  expect(folderCircles(imports('a/x.ts > a/b/y.ts', 'a/b/y.ts > a/z.ts'))).toHaveLength(1);
});

test('what composes a package stands above the folders beside it', () => {
  expect(
    folderCircles(imports('p/src/index.ts > p/src/a/x.ts', 'p/src/a/x.ts > p/src/ground.ts')),
  ).toEqual([]);
});
