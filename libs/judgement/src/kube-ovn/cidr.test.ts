import { tryParseCidr } from './cidr';

test.each(['', '10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', 'fd00::/129', '/', 'a/8', '10.0.0.0/8/8'])(
  '%s is no block',
  (text) => expect(tryParseCidr(text)).toBeUndefined(),
);

test('a block is read', () =>
  expect(tryParseCidr('10.17.5.0/20')).toMatchObject({ prefix: 20, range: { family: 4 } }));
