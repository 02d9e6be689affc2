import { byCause, causesText } from './by-cause';

const of = (name: string, kind?: string, key = 'a') => ({
  name,
  ...(kind === undefined ? {} : { cause: { kind, key, text: `${kind} ${key} no longer exists` } }),
});
const all = [
  of('1'),
  of('2', 'Pod'),
  of('3', 'Node'),
  of('4', 'Node'),
  of('5'),
  of('6', 'Node', 'b'),
];

test('what has one cause is together, the most first; what has none is alone', () => {
  expect(byCause(all).map((group) => group.all.map((it) => it.name))).toEqual([
    ['3', '4'],
    ['1'],
    ['2'],
    ['5'],
    ['6'],
  ]);
});

test('the lines name causes of several, with how many there are', () => {
  expect(causesText(all)).toEqual(['     2  Node a no longer exists']);
  expect(causesText([])).toEqual([]);
});
