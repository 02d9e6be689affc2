import { fitted, wrapped } from './terminal';

const TEXT = 'confirmed since 2026 IP cart-t9rwgwf9kf-4z97p.shop keeps 10.17.0.15';

test('lines are broken between words and indented, and a name stays whole', () => {
  expect(wrapped(TEXT, 24, 4).split('\n')).toEqual([
    'confirmed since 2026 IP',
    '    cart-t9rwgwf9kf-4z97p.shop',
    '    keeps 10.17.0.15',
  ]);
});

test('no word is lost, whatever the width', () => {
  for (let columns = 1; columns < 80; columns++)
    expect(wrapped(TEXT, columns, 4).split(/\s+/)).toEqual(TEXT.split(' '));
});

test('what fits is left as it is', () => expect(wrapped('a  b', Infinity, 4)).toBe('a  b'));

test('lines that are too long are indented below their beginning; others are left as they are', () => {
  expect(fitted(`Proof\n  ${TEXT}\n\nend`, 30).split('\n')).toEqual([
    'Proof',
    '  confirmed since 2026 IP',
    '    cart-t9rwgwf9kf-4z97p.shop',
    '    keeps 10.17.0.15',
    '',
    'end',
  ]);
});

test('a command to be copied stays on one line, and colours have no width', () => {
  const command = '  steward plan --rule leaked-ip --subnet apps --out plan.yaml';
  expect(fitted(command, 20)).toBe(command);
  expect(fitted('\u001b[31mred\u001b[0m two', 8)).toBe('\u001b[31mred\u001b[0m two');
});

test('wide letters take two columns', () => expect(wrapped('网络 网络', 8, 0)).toBe('网络\n网络'));

test('without a terminal nothing is broken', () => expect(fitted(TEXT, undefined)).toBe(TEXT));
