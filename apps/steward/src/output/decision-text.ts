import type { Control, Scope } from '@ovn-steward/shared/events/control';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { Channel, Told } from '../inputs/decisions';

/** What was decided, one line each, and who hears it when. */
export const decisionsText = (lines: readonly string[], channel: Channel, told: Told): string => `${lines.map((it) => safeText(it, 500)).join('\n')}\n${heardText(channel, told)}\n`;

/** The same for a program. */
export const decisionsJson = (controls: readonly Control[], told: Told): string => `${JSON.stringify({ told, controls }, null, 2)}\n`;

/** `everything of cluster c`, `rule r in subnet s of cluster c`. */
export function scopeText({ rule, vpc, subnet }: Scope, cluster: string): string {
  const places = [subnet === undefined ? undefined : `subnet ${subnet}`, vpc === undefined ? undefined : `VPC ${vpc}`].filter((it) => it !== undefined);
  const where = places.length === 0 ? '' : ` in ${places.join(' and ')}`;
  return `${rule === undefined ? 'everything' : `rule ${rule}`}${where} of cluster ${cluster}`;
}

/** Who hears it, and when. */
function heardText({ stateDir = '', partition }: Channel, told: Told): string {
  switch (told) {
    case 'log': return `Told on Kafka (steward.control.v1, partition ${partition}): the cluster's executor heeds it within a second, or as soon as one runs.`;
    case 'taken': return `The pipeline that runs on ${stateDir} has taken it.`;
    case 'waiting': return `No pipeline runs on ${stateDir} now: it waits there, and the next one hears it before it does anything.`;
  }
}
