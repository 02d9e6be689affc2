import { Command, CommanderError } from 'commander';
import { COMMAND_SUMMARIES } from './command-summaries';
import { EXAMPLES } from './examples';
import { VERSION } from './process/version';

/** Adds a command to the program; `done` gets the exit code when it ran. */
type AddCommand = (program: Command, done: (code: number) => void) => void;

/**
 * Every command by its name, in the order of the help. Loaded on demand: none waits for what
 * another needs.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  audit: async () => (await import('#commands/audit')).auditCommand,
  subnets: async () => (await import('#commands/subnets')).subnetsCommand,
  run: async () => (await import('#commands/run')).runCommand,
  findings: async () => (await import('#commands/findings')).findingsCommand,
  watch: async () => (await import('#commands/watch')).watchCommand,
  explain: async () => (await import('#commands/explain')).explainCommand,
  report: async () => (await import('#commands/report')).reportCommand,
  score: async () => (await import('#commands/score')).scoreCommand,
  diff: async () => (await import('#commands/diff')).diffCommand,
  actions: async () => (await import('#commands/actions')).actionsCommand,
  record: async () => (await import('#commands/record')).recordCommand,
  'dead-letters': async () => (await import('#commands/dead-letters')).deadLettersCommand,
  stream: async () => (await import('#commands/stream')).streamCommand,
  heal: async () => (await import('#commands/heal')).healCommand,
  export: async () => (await import('#commands/export')).exportCommand,
  import: async () => (await import('#commands/import')).importCommand,
  backup: async () => (await import('#commands/backup')).backupCommand,
  restore: async () => (await import('#commands/restore')).restoreCommand,
  plan: async () => (await import('#commands/plan')).planCommand,
  apply: async () => (await import('#commands/apply')).applyCommand,
  approve: async () => (await import('#commands/approve')).approveCommand,
  hold: async () => (await import('#commands/hold')).holdCommand,
  resume: async () => (await import('#commands/resume')).resumeCommand,
  holds: async () => (await import('#commands/holds')).holdsCommand,
  suppress: async () => (await import('#commands/suppress')).suppressCommand,
  unsuppress: async () => (await import('#commands/unsuppress')).unsuppressCommand,
  protect: async () => (await import('#commands/protect')).protectCommand,
  unprotect: async () => (await import('#commands/unprotect')).unprotectCommand,
  suppressions: async () => (await import('#commands/suppressions')).suppressionsCommand,
  undo: async () => (await import('#commands/undo')).undoCommand,
  'give-up': async () => (await import('#commands/give-up')).giveUpCommand,
  adopt: async () => (await import('#commands/adopt')).adoptCommand,
  guard: async () => (await import('#commands/guard')).guardCommand,
  doctor: async () => (await import('#commands/doctor')).doctorCommand,
  wait: async () => (await import('#commands/wait')).waitCommand,
  keys: async () => (await import('#commands/keys')).keysCommand,
  config: async () => (await import('#commands/config')).configCommand,
  completion: async () => {
    const { completionCommand } = await import('#commands/completion');
    return completionCommand((first) => programFor([first], () => undefined));
  },
};

/**
 * The program that a command line needs to be understood: with the command it names, or, where it
 * names none, with the name and summary of each, which are enough for the help and for saying which
 * was meant.
 * @param words those after `steward`.
 */
export async function programFor(
  words: readonly (string | undefined)[],
  done: (code: number) => void,
): Promise<Command> {
  const named = words[0] === 'help' ? words[1] : words[0];
  return named !== undefined && Object.hasOwn(COMMANDS, named)
    ? stewardProgram(done, [named])
    : summaryProgram();
}

/**
 * The program with these commands, all by default. `done` gets the exit code of the command that
 * ran. Nothing is printed for errors: `parseAsync` throws them.
 */
export async function stewardProgram(
  done: (code: number) => void,
  names: readonly string[] = Object.keys(COMMANDS),
): Promise<Command> {
  const program = emptyProgram();
  for (const add of await Promise.all(names.map((name) => COMMANDS[name]!()))) add(program, done);
  for (const command of program.commands) {
    endsByThrowing(command, `steward ${command.name()}`);
    showsExamples(command, command.name());
  }
  return program;
}

/** The program with the names and summaries of all commands, none of which can run. */
function summaryProgram(): Command {
  const program = emptyProgram();
  for (const { usage, hasOptions, about } of COMMAND_SUMMARIES) {
    const command = program.command(usage).description(about);
    if (hasOptions) command.option('--any'); // the help of the program says only that there are some
  }
  return program;
}

const emptyProgram = (): Command =>
  new Command('steward')
    .description(
      'Audits a Kube-OVN network: finds leaked ports and addresses, wrong counters and stuck deletions.\nChanges nothing in OVN or Kubernetes unless you tell it to.',
    )
    .version(VERSION)
    .addHelpText('after', '\nExit codes: 0 nothing found, 2 findings, 1 error, 3 could not know.')
    .exitOverride(withHelpNamed('steward'))
    .configureOutput({ outputError: () => undefined });

/** Examples at the end of the help of a command, and of those below it. */
function showsExamples(command: Command, name: string): void {
  const examples = EXAMPLES[name];
  if (examples !== undefined)
    command.addHelpText('after', ['\nExamples:', ...examples.map((it) => `  ${it}`)].join('\n'));
  for (const below of command.commands) showsExamples(below, `${name} ${below.name()}`);
}

/**
 * Whatever is wrong with a command line is reported in one place, also below a command of commands.
 */
function endsByThrowing(command: Command, name: string): void {
  command
    .exitOverride(withHelpNamed(name))
    .configureOutput({ outputError: () => undefined })
    .commands.forEach((below) => endsByThrowing(below, `${name} ${below.name()}`));
}

/** Throws what is wrong with a command line, with where its options and arguments are listed. */
const withHelpNamed =
  (name: string) =>
  (error: CommanderError): never => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const message = error.message.trimEnd().replace(/\.$/, '');
    throw new CommanderError(error.exitCode, error.code, `${message}. See ${name} --help.`);
  };
