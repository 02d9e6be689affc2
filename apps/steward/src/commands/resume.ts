import { newDecision } from '../inputs/new-decision';
import type { Command } from 'commander';
import type { Control } from '@ovn-steward/contracts/control/control';
import { channelOf, type DecisionOptions, withDecision } from '../inputs/decisions';
import { scopeFromOptions, type ScopeOptions, withScope } from '../inputs/scope';
import { scopeText } from '../output/decision-text';
import { publishAndWait, type WaitOptions, withWait } from './publish-and-wait';

/** `steward resume`: ends a hold of exactly the same scope. */
export function resumeCommand(program: Command, done: (code: number) => void): void {
  withWait(
    withDecision(
      withScope(
        program
          .command('resume')
          .description('end the hold of exactly this scope; other holds stay'),
      ),
    ),
  ).action(async (options: DecisionOptions & ScopeOptions & WaitOptions) => {
    const channel = await channelOf(options);
    const scope = scopeFromOptions(options);
    const control: Control = {
      type: 'resume',
      ...newDecision(channel),
      scope,
    };
    const line = `No longer on hold: ${scopeText(scope, channel.cluster)}. Holds of other scopes go on.`;
    done(await publishAndWait(control, line, channel, options));
  });
}
