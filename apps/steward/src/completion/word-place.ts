import type { Argument, Command, Option } from 'commander';

/** What a word of a command line is completed to, as the program itself defines it. */
export interface WordPlace {
  readonly command: Command;
  /** The option whose value the word is. */
  readonly option?: Option | undefined;
  /** The argument that the word is. */
  readonly argument?: Argument | undefined;
  /** Whether only the name of a command can be here. */
  readonly namesCommand: boolean;
  /** What was typed of the word; of `--option=value` the value. */
  readonly typed: string;
  /** The words before and after it, without the option whose value it is. */
  readonly others: readonly string[];
}

/** Finds the place of the word `at` of a command line, whose first word is the program's name. */
export function placeOf(program: Command, words: readonly string[], at: number): WordPlace {
  const typed = words[at] ?? '';
  const before = words.slice(1, at);
  const after = words.slice(at + 1);
  const { command, option, position, values } = walk(program, before);
  const others = (dropped: number): string[] => [
    ...before.slice(0, before.length - dropped),
    ...after,
  ];
  const common = { command, namesCommand: false };
  const another = typed.startsWith('-') && !(option?.required && values === 0);
  if (option !== undefined && !another)
    return { ...common, option, typed, others: others(values + 1) };
  const joined = /^(--[^=]+)=(.*)$/s.exec(typed);
  const named = joined === null ? undefined : optionOf(command, joined[1]!);
  if (joined !== null && named !== undefined)
    return { ...common, option: named, typed: joined[2]!, others: others(0) };
  const argument = argumentAt(command, position);
  const namesCommand = position === 0 && command.commands.length > 0 && argument === undefined;
  return { command, argument, namesCommand, typed, others: others(0) };
}

interface Walked {
  readonly command: Command;
  /** The option that may still take a value, and how many it has. */
  readonly option: Option | undefined;
  readonly values: number;
  /** How many arguments there were. */
  readonly position: number;
}

function walk(program: Command, words: readonly string[]): Walked {
  let walked: Walked = { command: program, option: undefined, values: 0, position: 0 };
  for (const word of words) walked = step(walked, word);
  return walked;
}

function step({ command, option, values, position }: Walked, word: string): Walked {
  if (option !== undefined && (!isOption(word) || (option.required && values === 0)))
    return option.variadic
      ? { command, option, values: values + 1, position }
      : { command, option: undefined, values: 0, position };
  if (isOption(word)) {
    const named = optionOf(command, word);
    const takes = named !== undefined && (named.required || named.optional);
    return { command, option: takes ? named : undefined, values: 0, position };
  }
  const below = position === 0 ? command.commands.find((it) => it.name() === word) : undefined;
  return below === undefined
    ? { command, option: undefined, values: 0, position: position + 1 }
    : { command: below, option: undefined, values: 0, position: 0 };
}

const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';

const optionOf = (command: Command, flag: string): Option | undefined =>
  command.options.find((it) => it.long === flag || it.short === flag);

function argumentAt(command: Command, position: number): Argument | undefined {
  const all = command.registeredArguments;
  const last = all[all.length - 1];
  return all[position] ?? (last?.variadic === true ? last : undefined);
}
