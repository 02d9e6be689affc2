import { newDecision } from '../inputs/new-decision';
import type { Command } from 'commander';
import type { Control } from '@ovn-steward/contracts/control/control';
import { KEEPING } from '@ovn-steward/contracts/control/control';
import type { KeepingKind } from '@ovn-steward/contracts/control/keeping';
import { channelOf, type DecisionOptions, withDecision } from '../inputs/decisions';
import { type SelectorOptions, selectorOf, withSelector } from '../inputs/selector';
import { momentOf } from '../inputs/until';
import { standingBefore } from '../inputs/standing-before';
import { keptNoMoreLine } from '../output/ended-line';
import { selectorText } from '../output/selector-text';
import { publishAndWait, type WaitOptions, withWait } from './publish-and-wait';
import { withOptions } from '../inputs/with-options';

interface KeepOptions extends DecisionOptions, SelectorOptions, WaitOptions {
  readonly reason: string;
  readonly until?: string;
}

const DONE = { suppress: 'Suppressed', protect: 'Protected' } as const;

/** A command that begins to keep something: `steward suppress`, `steward protect`. */
export function keepCommand(
  program: Command,
  done: (code: number) => void,
  kind: KeepingKind,
  description: string,
): void {
  withOptions(program.command(kind).description(description), withSelector, withDecision, withWait)
    .requiredOption('--reason <text>', 'why; shown with everything it is about')
    .option(
      '--until <time>',
      'when it ends by itself: 2h, or 2026-03-02T18:00:00Z; never by default',
    )
    .action(async (id: string | undefined, options: KeepOptions) => {
      const channel = await channelOf(options);
      const now = new Date();
      const until = options.until === undefined ? null : momentOf(options.until, now);
      const selector = await selectorOf(id, options, channel);
      const control: Control = {
        type: kind,
        ...newDecision(channel, now),
        selector,
        reason: options.reason,
        until,
      };
      const line = `${DONE[kind]}: ${selectorText(selector)} of cluster ${channel.cluster}, until ${until ?? `somebody ends it with steward un${kind}`}.`;
      done(await publishAndWait(control, line, channel, options));
    });
}

/** A command that ends it: `steward unsuppress`, `steward unprotect`. */
export function keepNoMoreCommand(
  program: Command,
  done: (code: number) => void,
  kind: KeepingKind,
  description: string,
): void {
  const type = KEEPING[kind].ends;
  withOptions(
    program.command(type).description(description),
    withSelector,
    withDecision,
    withWait,
  ).action(async (id: string | undefined, options: KeepOptions) => {
    const channel = await channelOf(options);
    const selector = await selectorOf(id, options, channel);
    const before = await standingBefore(channel);
    const control: Control = {
      type,
      ...newDecision(channel),
      selector,
    };
    const line = keptNoMoreLine(kind, selector, channel.cluster, before);
    done(await publishAndWait(control, line, channel, options));
  });
}
