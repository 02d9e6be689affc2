import { bearerToken } from './bearer-token';

test.each([
  ['Bearer abc.def-_~+/==', 'abc.def-_~+/=='],
  ['bearer   abc', 'abc'],
  ['Basic YTpi', undefined],
  ['Bearer', undefined],
  ['Bearer a b', undefined],
  ['Bearer a,Bearer b', undefined],
  [`Bearer ${'a'.repeat(16_001)}`, undefined],
  [undefined, undefined],
])('%.30s', (header, token) => expect(bearerToken(header)).toBe(token));
