import { tableMarkdown, tableText } from './columns';

const CELLS = {
  head: ['NAME', 'SUBNET', 'NOTES'],
  rows: [
    ['cart-t9rwgwf9kf-4z97p.shop', 'apps', 'terminating'],
    ['a', '-', ''],
  ],
};

test('a table that fits has one line for each row', () =>
  expect(tableText(CELLS, 80).split('\n')).toEqual([
    'NAME                        SUBNET  NOTES',
    'cart-t9rwgwf9kf-4z97p.shop  apps    terminating',
    'a                           -',
    '',
  ]));

test('columns of wide letters stand below each other', () =>
  expect(
    tableText(
      {
        head: ['A', 'B'],
        rows: [
          ['网络', 'x'],
          ['n', 'y'],
        ],
      },
      7,
    ).split('\n'),
  ).toEqual(['A     B', '网络  x', 'n     y', '']));

test('on a narrower terminal each row is a block, and no name is broken', () => {
  expect(tableText(CELLS, 30).split('\n')).toEqual([
    'cart-t9rwgwf9kf-4z97p.shop',
    '  SUBNET  apps',
    '  NOTES   terminating',
    'a',
    '',
  ]);
});

test('without a terminal nothing is too wide', () =>
  expect(tableText(CELLS, undefined)).toBe(tableText(CELLS, 1000)));

test('rows are coloured whole, and foreign text colours nothing', () => {
  const text = tableText(
    { ...CELLS, rows: [['\u001b[31mred', 'x', 'y']], colour: () => (it) => `<${it}>` },
    80,
  );
  expect(text.split('\n')[1]).toMatch(/^<.*y>$/);
  expect(text).not.toContain('\u001b[31m');
});

test('a table of very many rows is laid out', () => {
  const rows = Array.from({ length: 300_000 }, (_, at) => [`${at}`, 'x', 'y']);
  expect(tableText({ ...CELLS, rows }, 80).split('\n')).toHaveLength(300_002);
});

test('Markdown has a line below the head, and a cell ends no column', () =>
  expect(tableMarkdown({ head: ['A', 'B'], rows: [['x|y', '*']] })).toBe(
    '| A | B |\n| --- | --- |\n| x\\|y | \\* |\n',
  ));
