import type { Control, Scope } from '@ovn-steward/contracts/control/control';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { Channel, DecisionReceipt } from '../inputs/decisions';
import type { Heard } from '../inputs/wait-heard';
import { heardLines, unheardLines } from './heard-text';
import { indentedJson } from '@ovn-steward/shared/indented-json';

/**
 * Shows a person what was decided and which executor reads it when. That none does comes first, and
 * on standard error, whatever the form.
 */
export function reportDecisions(
  {
    lines,
    controls,
    receipt,
    heard,
  }: {
    readonly lines: readonly string[];
    readonly controls: readonly Control[];
    readonly receipt: DecisionReceipt;
    /** Where the command waited for an executor. */
    readonly heard?: { readonly by: Heard; readonly waited: number } | undefined;
  },
  channel: Channel,
  output: 'text' | 'json',
): void {
  if (receipt === 'waiting')
    process.stderr.write(
      `NOT acknowledged: no pipeline runs on ${channel.stateDir} now. An executor elsewhere, another folder's or one on Kafka, does not receive it.\n`,
    );
  if (heard !== undefined)
    process.stderr.write(
      unheardLines(heard.by, channel.cluster, receipt === 'waiting' ? undefined : heard.waited)
        .map((it) => `${it}\n`)
        .join(''),
    );
  process.stdout.write(
    output === 'json'
      ? indentedJson({ told: receipt, controls, ...(heard && { heard: heard.by }) })
      : `${decisionsText(lines, channel, receipt)}${heard ? heardLines(heard.by) : ''}`,
  );
}

/** What was decided, one line each, and which executor reads it when. */
const decisionsText = (
  lines: readonly string[],
  channel: Channel,
  receipt: DecisionReceipt,
): string =>
  [
    ...(receipt === 'waiting'
      ? [
          `Not acknowledged yet; it waits in ${channel.stateDir}, and the next pipeline there reads it before it does anything:`,
        ]
      : []),
    ...lines.map((it) => safeText(it, 500)),
    ...(receipt === 'waiting' ? [] : [heardText(channel, receipt)]),
    '',
  ].join('\n');

/** `everything of cluster c`, `rule r in subnet s of cluster c`. */
export function scopeText({ rule, vpc, subnet }: Scope, cluster: string): string {
  const places = [
    subnet === undefined ? undefined : `subnet ${subnet}`,
    vpc === undefined ? undefined : `VPC ${vpc}`,
  ].filter((it) => it !== undefined);
  const where = places.length === 0 ? '' : ` in ${places.join(' and ')}`;
  return `${rule === undefined ? 'everything' : `rule ${rule}`}${where} of cluster ${cluster}`;
}

/** Which executor reads it, and when. */
const heardText = (
  { stateDir = '', partition, server }: Channel,
  receipt: Exclude<DecisionReceipt, 'waiting'>,
): string =>
  receipt === 'server'
    ? `The executor behind ${server?.url} has published it in your name: the executor acts on it within a second.`
    : receipt === 'log'
      ? `Published to Kafka (steward.control.v1, partition ${partition}): the cluster's executor applies it within a second, or as soon as one runs.`
      : `The pipeline that runs on ${stateDir} has taken it.`;
