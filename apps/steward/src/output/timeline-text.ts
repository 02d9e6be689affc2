import { safeText } from '@ovn-steward/shared/safe-text';
import type { TimelineEntry } from '../timeline/timeline';
import { colours as pc } from './colours';

/** A line of time for a person: one line for each event, oldest first. */
export const timelineText = (entries: readonly TimelineEntry[], cause: string): string =>
  [
    pc.bold('Cause'),
    `  ${safeText(cause, 1000)}`,
    '',
    pc.bold('Timeline'),
    ...(entries.length === 0 ? ['  nothing recorded'] : entries.map(line)),
    '',
  ].join('\n');

const line = ({ at, lane, name, what, position }: TimelineEntry): string =>
  `  ${safeText(at, 40).padEnd(24)}  ${lane.padEnd(10)}  ${safeText(name)}  ${safeText(what, 500)}${position === '' ? '' : pc.dim(`  ${safeText(position)}`)}`;
