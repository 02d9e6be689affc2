import { COMMANDS, stewardProgram } from './program';

const ignored = (): void => undefined;

test.each(Object.keys(COMMANDS))('%s is loaded by its own name', async (name) => {
  const program = await stewardProgram(ignored, [name]);
  expect(program.commands.map((command) => command.name())).toEqual([name]);
});

test('the whole program has all commands, in the order of the registry', async () => {
  const program = await stewardProgram(ignored);
  expect(program.commands.map((command) => command.name())).toEqual(Object.keys(COMMANDS));
});
