import { newDecision } from '../inputs/new-decision';
import { type Command, Option } from 'commander';
import {
  type Control,
  HOLD_EXCEPTIONS,
  type HoldException,
} from '@ovn-steward/contracts/control/control';
import { channelOf, type DecisionOptions, withDecision } from '../inputs/decisions';
import { scopeFromOptions, type ScopeOptions, withScope } from '../inputs/scope';
import { momentOf } from '../inputs/until';
import { scopeText } from '../output/decision-text';
import { publishAndWait, type WaitOptions, withWait } from './publish-and-wait';
import { withOptions } from '../inputs/with-options';

interface HoldOptions extends DecisionOptions, ScopeOptions, WaitOptions {
  readonly reason: string;
  readonly until?: string;
  readonly except?: readonly HoldException[];
}

/** `steward hold`: nothing is removed within a scope until it is resumed. */
export function holdCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('hold')
      .description(
        'stop all removals within a scope, even approved ones; everything by default; waits until the executor confirms',
      ),
    withScope,
    withDecision,
    withWait,
  )
    .requiredOption('--reason <text>', 'why; shown with everything that it defers')
    .option(
      '--until <time>',
      'when it ends by itself: 2h, or 2026-03-02T18:00:00Z; never by default',
    )
    .addOption(
      new Option(
        '--except <writes...>',
        'what it lets through, none of which removes anything: undo (what people want back), put-back (what was removed under its owner), call-off (a request of an executor that died)',
      ).choices(HOLD_EXCEPTIONS),
    )
    .action(async (options: HoldOptions) => {
      const channel = await channelOf(options);
      const except = options.except ?? [];
      const scope = scopeFromOptions(options);
      const now = new Date();
      const until = options.until === undefined ? null : momentOf(options.until, now);
      const control: Control = {
        type: 'hold',
        ...newDecision(channel, now),
        scope,
        reason: options.reason,
        until,
        ...(except.length > 0 && { except: [...except] }),
      };
      const line = `On hold: ${scopeText(scope, channel.cluster)}, until ${until ?? 'somebody resumes it'}${except.length > 0 ? `, but for ${except.join(' and ')}` : ''}. What is being removed at this moment is finished.`;
      done(await publishAndWait(control, line, channel, options));
    });
}
