import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Control } from '@ovn-steward/shared/events/control';
import { EXIT } from '../exit-codes';
import { channelOf, type DecisionOptions, tell, withDecision } from '../inputs/decisions';
import { scopeOf, type ScopeOptions, withScope } from '../inputs/scope';
import { reportDecisions, scopeText } from '../output/decision-text';

/** `steward resume`: ends a hold of exactly the same scope. */
export function resumeCommand(program: Command, done: (code: number) => void): void {
  withDecision(
    withScope(
      program
        .command('resume')
        .description('end the hold of exactly this scope; other holds go on'),
    ),
  ).action(async (options: DecisionOptions & ScopeOptions) => {
    const channel = channelOf(options);
    const scope = scopeOf(options);
    const control: Control = {
      type: 'resume',
      version: 1,
      id: randomUUID(),
      cluster: channel.cluster,
      by: channel.by,
      at: new Date().toISOString(),
      scope,
    };
    const told = await tell(channel, [control]);
    const line = `No longer on hold: ${scopeText(scope, channel.cluster)}. Holds of other scopes go on.`;
    reportDecisions({ lines: [line], controls: [control], told }, channel, options.output);
    done(EXIT.nothingFound);
  });
}
