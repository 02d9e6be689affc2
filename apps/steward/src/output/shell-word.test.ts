import { execFileSync } from 'node:child_process';
import { shellWord } from './shell-word';

test.each([
  ['ssl:10.0.0.1:6641,ssl:10.0.0.2:6641'],
  ["it's here; rm -rf ~"],
  ['$(reboot) `reboot` "x" \\'],
  [''],
  ['two\nlines'],
  ['ä*?'],
])('a shell reads %j as it was meant', (text) =>
  expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(
    text,
  ),
);

test('what needs no quotes has none', () =>
  expect(shellWord('/var/lib/steward-1')).toBe('/var/lib/steward-1'));
