import type { Command } from 'commander';
import { argument } from './commands-page';

/**
 * apps/steward/src/command-summaries.ts: what the help of the program says of each command, so that
 * it loads none.
 */
export function summariesOf(program: Command): string {
  const summaries = program.commands.map((command) => ({
    usage: [command.name(), ...command.registeredArguments.map(argument)].join(' '),
    hasOptions: command.options.length > 0,
    about: command.description(),
  }));
  return [
    '// Generated from the commands by `npm run generate`; do not edit.',
    '',
    '/** What the help of the program says of each command, in its order. */',
    `export const COMMAND_SUMMARIES = ${JSON.stringify(summaries, undefined, 2)} as const;`,
    '',
  ].join('\n');
}
