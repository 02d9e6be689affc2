import { jsonPieces } from './json-report';

test.each([[{}], [{ a: [], b: undefined, c: [1, { d: [2] }], e: null, f: 'x\n' }]])(
  'the pieces of %j are its JSON',
  (document) =>
    expect(JSON.parse([...jsonPieces(document)].join(''))).toEqual(
      JSON.parse(JSON.stringify(document)),
    ),
);

test('no piece holds a whole list', () => {
  const pieces = [...jsonPieces({ list: Array.from({ length: 1000 }, () => 'x') })];
  expect(Math.max(...pieces.map((it) => it.length))).toBeLessThan(20);
});
