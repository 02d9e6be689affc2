import { Argument, type Command, Option } from 'commander';
import { candidatesAt } from '../completion/candidates';
import { knownWords } from '../completion/known-words';
import { placeOf } from '../completion/word-place';
import { unquoted } from '../completion/shell-words';
import { shellAnswer, SHELLS } from '../completion/shells';
import { EXIT } from '../process/exit-codes';

interface CompletionOptions {
  readonly at?: number;
}

/**
 * `steward completion`: the script a shell loads, and what that script asks for. `load` gives the
 * program whose command line begins with this command.
 */
export const completionCommand =
  (load: (first: string | undefined) => Promise<Command>) =>
  (program: Command, done: (code: number) => void): void => {
    program
      .command('completion')
      .description(
        'print a script that completes commands, options, rules and ids of findings in a shell',
      )
      .addArgument(
        new Argument('<shell>', `of which shell: ${Object.keys(SHELLS).join(', ')}`).choices(
          Object.keys(SHELLS),
        ),
      )
      .argument('[words...]', 'for the script: the command line so far, after --')
      .addOption(
        new Option('--at <index>', 'for the script: which of the words is completed').argParser(
          Number,
        ),
      )
      .action(async (shell: string, raw: readonly string[], { at }: CompletionOptions) => {
        process.stdout.write(
          raw.length === 0
            ? SHELLS[shell]!.script.replaceAll('{program}', program.name())
            : await completed(shell, raw.map(unquoted), at ?? raw.length - 1, load),
        );
        done(EXIT.nothingFound);
      });
  };

async function completed(
  shell: string,
  words: readonly string[],
  at: number,
  load: (first: string | undefined) => Promise<Command>,
): Promise<string> {
  const place = placeOf(await load(at > 1 ? words[1] : undefined), words, at);
  const typed = words[at] ?? '';
  const option = typed.slice(0, typed.length - place.typed.length);
  return shellAnswer(shell, await candidatesAt(place, knownWords), option);
}
