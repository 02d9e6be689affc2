import type { Argument, Command, Option } from 'commander';

const HEAD = `# Commands

<!-- Generated from the commands by \`npm run generate\`; do not edit. -->

From a clone, write \`npx steward\` before each. Settings that an option names can also come from a file or from the environment: see
[settings.md](settings.md).

| Exit code | Meaning |
|---|---|
| 0 | nothing found, or done |
| 1 | an error; one sentence on standard error says which, and what to do |
| 2 | findings |
| 3 | nothing found, but something could not be known |

Findings win over what could not be known: a 2 may hide a 3. The audit document has both, in \`findings\` and \`unknowns\`. Some commands
differ: \`run\` never ends with 3; \`explain\` ends with 2, for the finding it shows; \`record\` ends with 3 when some kind could not be recorded;
\`dead-letters\` ends with 2 when some letter was not replayed, its \`replay\` with 0 or 1; \`heal\` with 2 when it only showed what it would write; \`actions\` ends with 0 or 1, or with 3 when it has none to list and what is known of the cluster is empty or old, as \`findings\` does;
\`report\` ends as \`audit\` does, and with 3 also when what a pipeline knows is empty or old; \`diff\` ends with 2 when something is new or changed, with 3 when only something could not be judged any more, and with 0 when findings are only resolved;
\`restore\` ends with 2 when there is a difference, or when some row was left out; \`plan\` with 2 when there is something to do, with 3 when all that was
found was left out; \`subnets\` with 2 when something is wrong with the subnets shown, a finding or what their lines say
([subnets.md](subnets.md)), and with 3 when only something on a line is not known; \`apply\` with 0 when all was done and with 2 when not; \`approve\`, \`hold\`, \`resume\` and
\`undo\` with 0 or 1; \`wait\` with 0 when it is there, and with 3 when it was not there in time or could not be known; \`guard install\` and \`guard remove\` with 2 when they only
showed what they would do, \`guard status\` with 2 when a policy is not installed as it should be or a deletion waits, \`guard run\` and \`guard gates\` with 0 or 1,
\`guard gates --install\` with 2 when it only showed the policy; \`doctor\` with 2 when something is stuck, with 3 also for a name that is not there.

What a command reports goes to standard output; progress, interruptions and errors go to standard error.
`;

/** docs/commands.md: every command and option, as the program itself knows them. */
export const commandsPage = (program: Command): string =>
  [HEAD, ...program.commands.flatMap((it) => [section(it), ...it.commands.map(section)])].join(
    '\n',
  );

function section(command: Command): string {
  const described = command.registeredArguments.filter((it) => it.description !== '');
  return [
    `## ${[nameOf(command), ...command.registeredArguments.map(argument)].join(' ')}`,
    '',
    `${sentence(command.description())}`,
    '',
    '| Option | Meaning | Default |',
    '|---|---|---|',
    ...described.map((it) => `| ${code(argument(it))} | ${cell(it.description)} | |`),
    ...command.options.map(row),
    '',
  ].join('\n');
}

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

const argument = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const row = (option: Option): string =>
  `| ${code(option.flags)} | ${cell(option.description)}${option.argChoices ? `: ${option.argChoices.map(code).join(', ')}` : ''} | ${byDefault(option)}|`;

const byDefault = ({ mandatory, defaultValue }: Option): string =>
  mandatory ? 'required ' : defaultValue === undefined ? '' : `${code(String(defaultValue))} `;

const code = (text: string): string => `\`${cell(text)}\``;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
