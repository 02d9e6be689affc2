import { newDecision } from '../inputs/new-decision';
import type { Command } from 'commander';
import type { Control } from '@ovn-steward/contracts/control/control';
import { channelOf, type DecisionOptions, withDecision } from '../inputs/decisions';
import { scopeFromOptions, type ScopeOptions, withScope } from '../inputs/scope';
import { standingBefore } from '../inputs/standing-before';
import { resumedLine } from '../output/ended-line';
import { publishAndWait, type WaitOptions, withWait } from './publish-and-wait';
import { withOptions } from '../inputs/with-options';

/** `steward resume`: ends a hold of exactly the same scope. */
export function resumeCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program.command('resume').description('end the hold of exactly this scope; other holds stay'),
    withScope,
    withDecision,
    withWait,
  ).action(async (options: DecisionOptions & ScopeOptions & WaitOptions) => {
    const channel = await channelOf(options);
    const scope = scopeFromOptions(options);
    // Before it is published: afterwards nobody knows whether there was one.
    const before = await standingBefore(channel);
    const control: Control = {
      type: 'resume',
      ...newDecision(channel),
      scope,
    };
    done(
      await publishAndWait(control, resumedLine(scope, channel.cluster, before), channel, options),
    );
  });
}
