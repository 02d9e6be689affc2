import { type Command, Option } from 'commander';
import type { PolicyState } from '@ovn-steward/guard/standing';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { EXIT } from '../process/exit-codes';
import { guardedKubernetes, type GuardedOptions, withGuarded } from '../inputs/guarded-kubernetes';
import { policiesNamed } from '../inputs/policies';
import { shownAndWritten } from './shown-and-written';
import { installJson } from '../output/guard-install-text';
import { secondsOf } from '../inputs/seconds';

interface InstallOptions extends GuardedOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

/**
 * `steward guard install`: shows what each policy does and what would be written; writes it once
 * that is confirmed.
 */
export function guardInstallCommand(parent: Command, done: (code: number) => void): void {
  withGuarded(
    parent
      .command('install')
      .argument('[policies...]', 'only these, by id; by default those that guard VPCs')
      .description(
        'show the policies for the API server, and write them; writes only with --yes, or after a yes at the terminal',
      ),
  )
    .option('--dry-run', 'only show')
    .option('--yes', 'write them without asking')
    .option(
      '--timeout <seconds>',
      'how long it may take, including the wait for an answer',
      secondsOf,
      120,
    )
    .addOption(
      new Option('-o, --output <form>', 'how to report').choices(['text', 'json']).default('text'),
    )
    .action(async (ids: readonly string[], options: InstallOptions) => {
      const policies = policiesNamed(ids).filter((it) => ids.length > 0 || it.onlyByName !== true);
      const { kubernetes, check, close } = guardedKubernetes(options);
      const signal = timeLimit(options.timeout * 1000);
      try {
        await check(signal);
        const { standings, due, written } = await shownAndWritten(
          policies,
          kubernetes,
          {
            ...options,
            show: (text) => void (options.output === 'text' && process.stdout.write(text)),
          },
          signal,
        );
        if (options.output === 'json') process.stdout.write(installJson(standings, written));
        else process.stdout.write(ending(due, written));
        done(
          (due.length > 0 && !written) || standings.some((it) => it.is === 'not-served')
            ? EXIT.findings
            : EXIT.nothingFound,
        );
      } finally {
        await close();
      }
    });
}

const ending = (due: readonly PolicyState[], written: boolean): string =>
  due.length === 0
    ? 'Nothing to write.\n'
    : written
      ? `Written: ${due.map(({ policy }) => policy.id).join(', ')}. In force within seconds.\n`
      : 'Nothing was written. To write it, say it again with --yes.\n';
