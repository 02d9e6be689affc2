import { Command } from 'commander';
import { candidatesAt } from './candidates';
import { placeOf } from './word-place';

const program = new Command('steward');
program.command('findings').option('--subnet <name>', 'a subnet').option('--config <file>', 'file');

const at = async (...words: string[]) =>
  candidatesAt(placeOf(program, ['steward', ...words], words.length), async (name) =>
    name === 'subnet'
      ? ['shop', '$(reboot)', 'a b', '`x`', 'x;y', "q'"].map((word) => ({
          word,
          about: 'a \u001b[2J tenant',
        }))
      : undefined,
  );

test('a name that a shell would execute is not offered, and a meaning moves no cursor', async () => {
  const { words } = await at('findings', '--subnet', '');
  expect(words.map((it) => it.word)).toEqual(['shop']);
  expect(words[0]!.about).not.toContain('\u001b');
});

test('where only a file fits, the shell lists files', async () => {
  expect(await at('findings', '--config', '')).toEqual({ kind: 'files', words: [] });
});

test('an option that there is not takes no value', async () => {
  const { words } = await at('findings', '--what', '--sub');
  expect(words.map((it) => it.word)).toEqual(['--subnet']);
});
