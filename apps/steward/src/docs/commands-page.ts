import type { Argument, Command, Option } from 'commander';

const HEAD = `# Commands

<!-- Generated from the commands by \`npm run generate\`; do not edit. -->

In a clone, write \`npx steward\` instead of \`steward\`. Options that name a setting can also come from a file or from the environment: see
[settings.md](settings.md).

| Exit code | Meaning |
|---|---|
| 0 | nothing found, or done |
| 1 | an error; one sentence on standard error says which, and what to do |
| 2 | findings |
| 3 | nothing found, but something could not be known |

If there are findings and unknowns, the code is 2; the audit document has both, in \`findings\` and \`unknowns\`. These commands use the
codes in their own way:

| Command | Exit code |
|---|---|
| \`run\` | as \`audit\`, about what stands when it ends |
| \`explain\` | 2, for the finding it shows |
| \`record\` | 3 when some kind could not be recorded |
| \`report\` | as \`audit\`; also 3 when the state of a pipeline is empty or old |
| \`diff\` | 2 when something is new or changed, 3 when something could only not be judged any more, 0 when findings are only resolved |
| \`findings\`, \`actions\` | 3 when there is nothing to list and the known state is empty or old; \`actions\` otherwise 0 or 1 |
| \`subnets\` | 2 when something is wrong with a shown subnet ([subnets.md](subnets.md)), 3 when only something on its line is unknown |
| \`dead-letters\` | 2 when a letter was not replayed; its \`replay\` 0 or 1 |
| \`stream\` | \`check\` 2 when the table differs; \`replay\` 0 or 1 |
| \`heal\` | 2 when it only showed what it would write, 3 when only what a later version wrote is left |
| \`restore\` | 2 when there is a difference, or when a row was left out |
| \`plan\` | 2 when there is something to do, 3 when all that was found was left out |
| \`apply\` | 0 when all was done, 2 when not |
| \`approve\`, \`undo\` | 0 or 1 |
| \`hold\`, \`resume\`, \`suppress\`, \`unsuppress\`, \`protect\`, \`unprotect\` | 0 when the acting executor confirmed, 3 when it did not ([executor.md](executor.md#hold-and-know-that-it-holds)) |
| \`doctor\` | 2 when something is stuck, 3 also for an unknown name |
| \`wait\` | 0 when ready, 3 when not ready in time or unknown |
| \`guard install\`, \`guard remove\` | 2 when they only showed what they would do |
| \`guard status\` | 2 when a policy is not installed as it should be, or a deletion waits |
| \`guard run\`, \`guard gates\` | 0 or 1; \`guard gates --install\` 2 when it only showed the policy |

Results go to standard output; progress, interruptions and errors go to standard error. A reader
that stops early, such as \`head\`, does not change the exit code; a command that goes on until it
is interrupted ends with its next line.

## Lists

\`findings\`, \`watch\`, \`audit\`, \`report\` and \`subnets\` take the same filters: \`--rule\`, \`--class\`, \`--severity\`,
\`--since\`, \`--vpc\`, \`--subnet\` and \`--namespace\` (\`-n\`). Of subnets, the first four choose those with such a finding. Ids, and
names of subnets, are arguments; their beginning is enough. A rule, class or severity that does not exist is an error. \`--sort-by\` orders
the list; \`report\` and \`audit\` otherwise put the worst first.

Each list prints \`table\`, \`wide\`, \`json\`, \`ndjson\`, \`yaml\` or \`markdown\` with \`--output\` (\`-o\`). On a terminal, long lines are
broken between words. A table that is wider than the terminal has a block of lines for each row, so that no name is cut or broken.
Twenty entries or more begin with a summary. A list that is longer than the terminal goes through \`PAGER\`; \`--no-pager\`
prints it. \`--server\` (\`-s\`) reads an analyzer or \`steward run\` over HTTP. An executor lists only confirmed findings with a
remedy, and does not report.

\`findings\`, \`subnets\`, \`actions\`, \`holds\` and \`suppressions\` take \`--watch\` (\`-w\`): on a terminal the list is drawn again
each time \`--every\` is over; elsewhere new lines are printed as they come, of \`json\` and \`yaml\` the whole list each time it
changed (\`yaml\` after a line \`---\`). It works on a state folder, on Kafka and on a server. For
\`subnets\`, each reading of a folder or of Kafka costs as much as one call; on a large cluster name a server.

Some short forms of kubectl have no counterpart. A list is of all namespaces without \`-n\`; \`-A\` is accepted and says the same. There
is no \`-l\`: findings, subnets and actions carry no labels, and labels of pods are not kept. The filters above take the place of
\`--field-selector\`.

## Completion

\`steward completion bash\`, \`zsh\` or \`fish\` prints a script that says at its top how to load it. It completes commands, options, words of
options, rules, classes, severities, and, from the state folder or the recorded files that the line names, ids of findings, names of subnets,
VPCs and namespaces, and for \`resume\` what is on hold. It asks no server and no broker. Names with characters that a shell would interpret
are not offered.
`;

/** An option that this many commands have, with the same meaning, is listed once. */
const COMMON = 3;

/**
 * docs/commands.md: every command and option, as the program itself knows them, with examples by
 * the name of a command.
 */
export function commandsPage(
  program: Command,
  examples: Readonly<Record<string, readonly string[]>>,
): string {
  const commands = program.commands.flatMap((it) => [it, ...it.commands]);
  const common = commonRows(commands.flatMap((it) => it.options));
  return [
    HEAD,
    `## Common options\n\n${TABLE}\n${common.join('\n')}\n`,
    ...commands.map((it) => section(it, new Set(common), examples)),
  ].join('\n');
}

/**
 * Of each option the row that most commands have, where enough have it: an option means one thing
 * in the list.
 */
function commonRows(options: readonly Option[]): string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const option of options) {
    const rows = counts.get(option.long!) ?? new Map<string, number>();
    counts.set(option.long!, rows.set(row(option), (rows.get(row(option)) ?? 0) + 1));
  }
  return [...counts.values()].flatMap((rows) => {
    const [most] = [...rows].sort(([, a], [, b]) => b - a);
    return most![1] >= COMMON ? [most![0]] : [];
  });
}

const TABLE = '| Option | Meaning | Default |\n|---|---|---|';

function section(
  command: Command,
  common: ReadonlySet<string>,
  examples: Readonly<Record<string, readonly string[]>>,
): string {
  const name = nameOf(command);
  const own = [
    ...command.registeredArguments
      .filter((it) => it.description !== '')
      .map((it) => `| ${code(argument(it))} | ${cell(it.description)} | |`),
    ...command.options.map(row).filter((it) => !common.has(it)),
  ];
  const shared = command.options.filter((it) => common.has(row(it)));
  const shown = examples[name.replace('steward ', '')];
  return [
    `## ${[name, ...command.registeredArguments.map(argument)].join(' ')}`,
    sentence(command.description()),
    ...(shown ? [`\`\`\`sh\n${shown.join('\n')}\n\`\`\``] : []),
    ...(own.length > 0 ? [`${TABLE}\n${own.join('\n')}`] : []),
    ...(shared.length > 0
      ? [`[Common options](#common-options): ${shared.map((it) => `\`${it.long!}\``).join(', ')}`]
      : []),
  ]
    .join('\n\n')
    .concat('\n');
}

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** An argument as a usage line shows it. */
export const argument = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const row = (option: Option): string =>
  `| ${code(option.flags)} | ${cell(option.description)}${option.argChoices ? `: ${option.argChoices.map(code).join(', ')}` : ''} | ${byDefault(option)}|`;

function byDefault({ mandatory, defaultValue, defaultValueDescription }: Option): string {
  if (mandatory) return 'required ';
  if (defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0))
    return '';
  return `${code(defaultValueDescription ?? String(defaultValue))} `;
}

const code = (text: string): string => `\`${cell(text)}\``;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
