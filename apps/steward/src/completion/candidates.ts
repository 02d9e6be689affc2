import type { Command, Option } from 'commander';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { WordPlace } from './word-place';

/** A word that may stand at a place, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/**
 * What can stand at a place: one of these words, or a file or folder that the shell itself lists.
 */
export interface Candidates {
  readonly kind: 'words' | 'files' | 'folders';
  readonly words: readonly Candidate[];
}

/**
 * Values by the name of an option or argument (`rule`, `finding`); undefined where none are known
 * by that name.
 */
export type KnownWords = (
  name: string,
  place: WordPlace,
) => Promise<readonly Candidate[] | undefined>;

/** Everything that can stand at a place and begins as typed. */
export async function candidatesAt(place: WordPlace, known: KnownWords): Promise<Candidates> {
  const { command, option, argument, typed } = place;
  if (option !== undefined)
    return valuesOf(place, option.attributeName(), option.flags, option.argChoices, known);
  if (typed.startsWith('-')) return words(optionsOf(command), typed);
  const commands = command.commands.map((it) => ({ word: it.name(), about: it.description() }));
  if (place.namesCommand) return words(commands, typed);
  if (argument === undefined) return words(optionsOf(command), typed);
  const name = `<${argument.name()}>`;
  const values = await valuesOf(place, argument.name(), name, argument.argChoices, known);
  return values.kind === 'words'
    ? { kind: 'words', words: [...words(commands, typed).words, ...values.words] }
    : values;
}

async function valuesOf(
  place: WordPlace,
  name: string,
  flags: string,
  choices: readonly string[] | undefined,
  known: KnownWords,
): Promise<Candidates> {
  const all = choices?.map((word) => ({ word, about: '' })) ?? (await known(name, place));
  return all === undefined ? { kind: kindOf(flags), words: [] } : words(all, place.typed);
}

/** What the placeholder of a value says it is, such as `--state-dir <folder>`. */
function kindOf(flags: string): Candidates['kind'] {
  const placeholder = /[<[]([\w-]+)/.exec(flags)?.[1] ?? '';
  if (placeholder === 'folder') return 'folders';
  return FILES.has(placeholder) ? 'files' : 'words';
}

const FILES: ReadonlySet<string> = new Set(['file', 'where', 'kubeconfig', 'before', 'after']);

/**
 * Names come from clusters. One that a shell would read as more than a word is not offered: it
 * would be executed.
 */
const PLAIN = /^[\w.:/@-]+$/;

const words = (all: readonly Candidate[], typed: string): Candidates => ({
  kind: 'words',
  words: all
    .filter(({ word }) => word.startsWith(typed) && PLAIN.test(word))
    .map(({ word, about }) => ({ word, about: safeText(about) })),
});

const optionsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, short, description }: Option) => {
      const word = long ?? short;
      return word === undefined || word === null ? [] : [{ word, about: description }];
    });
