import type { Command } from 'commander';
import { EXAMPLES } from './examples';
import { COMMANDS, programFor, stewardProgram } from './program';

const ignored = (): void => undefined;

test.each(Object.keys(COMMANDS))('%s is loaded by its own name', async (name) => {
  const program = await stewardProgram(ignored, [name]);
  expect(program.commands.map((command) => command.name())).toEqual([name]);
});

test('the whole program has all commands, in the order of the registry', async () => {
  const program = await stewardProgram(ignored);
  expect(program.commands.map((command) => command.name())).toEqual(Object.keys(COMMANDS));
});

test.each([[[]], [['--help']], [['-h']], [['help']], [['fidnings']], [['--version']]])(
  'for %j no command is loaded, and the help is the same',
  async (words) => {
    const short = await programFor(words, ignored);
    const whole = await stewardProgram(ignored);
    expect(short.helpInformation()).toBe(whole.helpInformation());
    expect(short.commands.every((it) => it.options.length <= 1)).toBe(true);
  },
);

test.each([[['findings', '-h']], [['help', 'findings']]])(
  'for %j that command is loaded alone',
  async (words) => {
    const { commands } = await programFor(words, ignored);
    expect(commands.map((it) => it.name())).toEqual(['findings']);
    expect(commands[0]!.options.length).toBeGreaterThan(5);
  },
);

/** Commands that do something, by their names after `steward`. */
const leavesOf = (command: Command, name: string): [string, Command][] => [
  ...(command.commands.length === 0 || command.name() === 'dead-letters'
    ? [[name, command] as [string, Command]]
    : []),
  ...command.commands.flatMap((it) => leavesOf(it, `${name} ${it.name()}`)),
];

test('every command shows examples of itself at the end of its help', async () => {
  const program = await stewardProgram(ignored);
  const leaves = program.commands.flatMap((it) => leavesOf(it, it.name()));
  expect(leaves.map(([name]) => name)).toEqual(Object.keys(EXAMPLES));
  for (const [name, command] of leaves) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const shown = help.split('\nExamples:\n')[1]!.trim().split('\n');
    expect(shown.map((it) => it.trim())).toEqual(EXAMPLES[name]);
    expect(shown.some((it) => it.includes(`steward ${name}`))).toBe(true);
  }
});
