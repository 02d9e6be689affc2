import type { Command } from 'commander';
import { type GuardEvent } from '@ovn-steward/guard/guard-event';
import { onceWhileRepeating } from '@ovn-steward/guard/once-while-repeating';
import { guardVpcs } from '@ovn-steward/guard/guard-vpcs';
import { watchDenials } from '@ovn-steward/guard/watch-denials';
import { safeText } from '@ovn-steward/shared/safe-text';
import { EXIT } from '../process/exit-codes';
import { guardedKubernetes, type GuardedOptions, withGuarded } from '../inputs/guarded-kubernetes';
import { interrupted } from '../process/interrupted';
import { untilOneFails } from '@ovn-steward/shared/until-one-fails';
import { waitingText } from '../output/guard-status-text';
import { reportOption } from '../inputs/report-option';

interface GuardRunOptions extends GuardedOptions {
  readonly watchOnly?: boolean;
  readonly output: 'text' | 'ndjson';
}

/** `steward guard run`: the finalizer's controller alone, in the foreground, until interrupted. */
export function guardRunCommand(parent: Command, done: (code: number) => void): void {
  withGuarded(
    parent
      .command('run')
      .description(
        'hold Vpcs by a finalizer until no Subnet names them, and report waiting deletions, until interrupted; needs only Kubernetes, and with --ovn-nb checks that both are one cluster',
      ),
  )
    .option(
      '--watch-only',
      'hold no Vpc: only report waiting deletions and refusals; writes only Events',
    )
    .addOption(reportOption(['text', 'ndjson']))
    .action(async (options: GuardRunOptions) => {
      const guarded = guardedKubernetes(options, (refused) => {
        if (options.output === 'ndjson') process.stdout.write(`${JSON.stringify(refused)}\n`);
      });
      const { kubernetes } = guarded;
      const stop = interrupted();
      const isNew = onceWhileRepeating();
      const onEvent = (event: GuardEvent): void => {
        if (event.type !== 'guard-failed')
          return void (options.output === 'ndjson'
            ? process.stdout.write(`${JSON.stringify(event, mapsAsObjects)}\n`)
            : process.stdout.write(lines(event)));
        if (isNew(event.error)) process.stderr.write(`guard: ${safeText(event.error, 500)}\n`);
      };
      try {
        // Wrong credentials, addresses or pairs end it; what comes later is tried again.
        await kubernetes.identity(stop.signal);
        if (!options.watchOnly) await guarded.check(stop.signal);
        process.stderr.write(
          options.watchOnly
            ? 'Watching Vpcs; Ctrl-C ends it.\n'
            : 'Guarding Vpcs; Ctrl-C ends it, and those that are held stay held.\n',
        );
        await untilOneFails(
          [
            (signal) => guardVpcs({ kubernetes, holds: !options.watchOnly, onEvent }, signal),
            (signal) => watchDenials({ kubernetes, onEvent }, signal),
          ],
          stop.signal,
        );
        done(EXIT.nothingFound);
      } finally {
        stop.end();
        await guarded.close();
      }
    });
}

const mapsAsObjects = (_: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value;

function lines(event: Exclude<GuardEvent, { type: 'guard-failed' }>): string {
  switch (event.type) {
    case 'guarded':
      return `${event.did === 'add' ? 'guarded' : 'freed  '} Vpc ${safeText(event.vpc)}\n`;
    case 'guard-waits':
      return event.waiting.map((it) => `waits   ${waitingText(it, new Date())}\n`).join('');
    case 'guard-denials':
      return '';
  }
}
