import type { Command } from 'commander';
import { type GuardedOptions, withGuarded } from './guarded-kubernetes';
import { secondsOption } from './seconds';
import { reportOption } from './report-option';

/** What a person says to a command that installs or removes guards. */
export interface GuardedChangeOptions extends GuardedOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

/** The options of a command that shows a change to guards, and makes it after a yes. */
export const withGuardedChange = (command: Command): Command =>
  withGuarded(command)
    .option('--dry-run', 'only show')
    .option('--yes', 'write without asking')
    .addOption(
      secondsOption(
        '--timeout <duration>',
        'how long it may take, including the wait for an answer',
        120,
      ),
    )
    .addOption(reportOption());
