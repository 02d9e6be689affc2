import { wrapped } from './terminal';

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
