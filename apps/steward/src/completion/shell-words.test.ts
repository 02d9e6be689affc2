import { homedir } from 'node:os';
import { unquoted } from './shell-words';

test.each([
  ['plain', 'plain'],
  ["'a b'", 'a b'],
  ['"a \\"b\\""', 'a "b"'],
  ['a\\ b', 'a b'],
  ["'cut", 'cut'],
  ['~/state', `${homedir()}/state`],
  ['a~b', 'a~b'],
  ['$(reboot)', '$(reboot)'],
  ['', ''],
])('%j is %j', (word, plain) => {
  expect(unquoted(word)).toBe(plain);
});
