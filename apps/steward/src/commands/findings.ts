import { join } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { requireRule } from '@ovn-steward/judgement/rule-named';
import { causesText } from '@ovn-steward/contracts/findings/by-cause';
import { type Finding, FindingState } from '@ovn-steward/contracts/findings/finding';
import { isOpen } from '@ovn-steward/contracts/findings/is-open';
import { EXIT } from '../process/exit-codes';
import { doubtAboutFolder } from '../inputs/memory-age';
import { settingsFrom } from '../inputs/settings';
import { printDoubt } from '../output/print-doubt';
import { safeText } from '@ovn-steward/shared/safe-text';
import { FILES } from '../inputs/state-files';

interface FindingsOptions {
  readonly stateDir?: string;
  readonly output: 'table' | 'json' | 'ndjson';
  readonly state?: Finding['state'];
  readonly rule?: string;
  readonly all?: boolean;
}

/** `steward findings`: what a running or stopped pipeline knows, from its state directory. */
export function findingsCommand(program: Command, done: (code: number) => void): void {
  program
    .command('findings')
    .description('list the findings of a pipeline from its state directory')
    .option('--state-dir <folder>', 'the state folder of the pipeline')
    .addOption(
      new Option('--output <form>', 'how to list')
        .choices(['table', 'json', 'ndjson'])
        .default('table'),
    )
    .addOption(new Option('--state <state>', 'only these').choices(FindingState.options))
    .option('--rule <id>', 'only of this rule')
    .option('--all', 'resolved and suppressed ones too')
    .action((options: FindingsOptions) => {
      const { config } = settingsFrom(
        options.stateDir === undefined ? {} : { stateDir: options.stateDir },
      );
      const { findings } = readCheckpoint(join(config.stateDir, FILES.checkpoint));
      const doubt = doubtAboutFolder(config.stateDir, undefined);
      if (options.rule !== undefined)
        requireRule(
          options.rule,
          findings.map((it) => it.rule),
        );
      const chosen = findings
        .filter(
          (it) =>
            (options.state ? it.state === options.state : options.all || isOpen(it)) &&
            (!options.rule || it.rule === options.rule),
        )
        .sort((a, b) =>
          a.firstSeen < b.firstSeen ? -1 : a.firstSeen > b.firstSeen ? 1 : a.id < b.id ? -1 : 1,
        );
      process.stdout.write(rendered(chosen, options.output, doubt));
      const suppressed = findings.filter((it) => it.state === 'suppressed').length;
      if (suppressed > 0 && options.state === undefined && options.all !== true)
        process.stderr.write(
          `${suppressed} more ${suppressed === 1 ? 'is' : 'are'} suppressed: --state suppressed lists them.\n`,
        );
      printDoubt(doubt);
      const standing = chosen.some(isOpen);
      done(standing ? EXIT.findings : doubt === undefined ? EXIT.nothingFound : EXIT.couldNotKnow);
    });
}

function rendered(
  findings: readonly Finding[],
  output: FindingsOptions['output'],
  doubt: string | undefined,
): string {
  if (output === 'json') return `${JSON.stringify(findings, null, 2)}\n`;
  if (output === 'ndjson') return findings.map((it) => `${JSON.stringify(it)}\n`).join('');
  if (findings.length === 0)
    return doubt === undefined ? 'No findings.\n' : 'No findings are known.\n';
  const causes = causesText(findings);
  const lines = findings
    .map(
      (it) =>
        `${safeText(it.state).padEnd(9)} since ${safeText(it.firstSeen, 40)} ${safeText(it.id.slice(0, 10))} ${safeText(it.rule)}: ${safeText(it.summary)}\n`,
    )
    .join('');
  return causes.length === 0
    ? lines
    : `${lines}\nOf one cause:\n${causes.map((it) => `${safeText(it)}\n`).join('')}`;
}
