import type { Command } from 'commander';
import type { PolicyState } from '@ovn-steward/guard/policy-state';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { EXIT } from '../process/exit-codes';
import { guardedKubernetes } from '../inputs/guarded-kubernetes';
import { type GuardedChangeOptions, withGuardedChange } from '../inputs/guarded-change';
import { policiesNamed } from '../inputs/policies';
import { shownAndWritten } from './shown-and-written';
import { installJson } from '../output/guard-install-text';

/**
 * `steward guard install`: shows what each policy does and what would be written; writes it once
 * that is confirmed.
 */
export function guardInstallCommand(parent: Command, done: (code: number) => void): void {
  withGuardedChange(
    parent
      .command('install')
      .argument('[policies...]', 'only these, by id; by default those that guard VPCs')
      .description(
        'show the policies for the API server, and write them; writes only with --yes, or after a yes at the terminal',
      ),
  ).action(async (ids: readonly string[], options: GuardedChangeOptions) => {
    const policies = policiesNamed(ids).filter((it) => ids.length > 0 || it.onlyByName !== true);
    const { kubernetes, check, close } = guardedKubernetes(options);
    const signal = timeLimit(options.timeout * 1000);
    try {
      await check(signal);
      const { states, due, written } = await shownAndWritten(
        policies,
        kubernetes,
        {
          ...options,
          show: (text) => void (options.output === 'text' && process.stdout.write(text)),
        },
        signal,
      );
      if (options.output === 'json') process.stdout.write(installJson(states, written));
      else process.stdout.write(ending(due, written));
      done(
        (due.length > 0 && !written) || states.some((it) => it.is === 'not-served')
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
      : 'Nothing was written. To write it, run the command again with --yes.\n';
