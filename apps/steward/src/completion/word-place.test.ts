import { Command } from 'commander';
import { placeOf } from './word-place';

const program = new Command('steward');
program
  .command('plan [file]')
  .option('--rule <id...>', 'rules')
  .option('--listen [address]', 'where')
  .option('--yes', 'do it');
program.command('guard').command('run').option('--watch-only', 'only watch');

const at = (line: string, index?: number) => {
  const words = ['steward', ...line.split(' ')];
  return placeOf(program, words, index ?? words.length - 1);
};
const optionAt = (line: string) => at(line).option?.long;

test('a command below a command is found', () => {
  expect(at('guard ').namesCommand).toBe(true);
  expect(at('guard run -').command.name()).toBe('run');
});

test('an option that takes several values goes on until the next option', () => {
  expect(optionAt('plan --rule a b')).toBe('--rule');
  expect(optionAt('plan --rule a --')).toBeUndefined();
  expect(optionAt('plan --rule -')).toBe('--rule');
});

test('an option that may have a value leaves room for the next option', () => {
  expect(optionAt('plan --listen 1')).toBe('--listen');
  expect(optionAt('plan --listen -')).toBeUndefined();
});

test('a switch takes no value, and an argument is counted', () => {
  expect(at('plan --yes x').argument?.name()).toBe('file');
  expect(at('plan --yes x y').argument).toBeUndefined();
});

test('the words around it are kept, without the option it is the value of', () => {
  expect(at('plan --yes --rule a --listen', 4).others).toEqual(['plan', '--yes', '--listen']);
  expect(at('plan --rule=a').option?.long).toBe('--rule');
});
