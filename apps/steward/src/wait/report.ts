import { safeText } from '@ovn-steward/shared/safe-text';
import type { Waited } from './wait-until';
import type { WaitTarget } from './wanted';

/**
 * What a script may rely on, of `steward wait` and of the file without packages: it is there; an
 * error that waiting does not mend; it was not there in time, or could not be known.
 */
export const WAIT_EXIT = { there: 0, error: 1, notInTime: 3 } as const;

/** Seconds, to a tenth. */
const seconds = (ms: number): number => Math.round(ms / 100) / 10;

const what = ({ subnet, for: purpose, namespace, pods }: WaitTarget): string =>
  purpose === 'ready'
    ? `Subnet ${subnet} to be ready${namespace === undefined ? '' : ` for namespace ${namespace}`}`
    : `${pods.map((it) => `${it.namespace}/${it.name}`).join(', ')} to have an address of Subnet ${subnet}`;

/** A line for a person. */
export function waitedText(
  wanted: WaitTarget,
  { there, waitsFor, trouble, waitedMs }: Waited,
): string {
  if (there) return `There after ${seconds(waitedMs)} s: waited for ${what(wanted)}.\n`;
  const last = [
    ...(waitsFor.length === 0 ? [] : [`It still waits for ${waitsFor.join('; ')}.`]),
    ...(trouble === undefined ? [] : [`At the end the state could not be read: ${trouble}`]),
  ];
  return `${safeText(`Not there after ${seconds(waitedMs)} s: waited for ${what(wanted)}. ${last.join(' ')}`, 2000)}\n`;
}

/** The same as a document. */
export const waitedJson = (
  wanted: WaitTarget,
  { there, waitsFor, trouble, waitedMs }: Waited,
): string =>
  `${JSON.stringify({ subnet: wanted.subnet, for: wanted.for, namespace: wanted.namespace ?? null, pods: wanted.pods.map((it) => `${it.namespace}/${it.name}`), there, waitedSeconds: seconds(waitedMs), waitsFor, trouble: trouble ?? null })}\n`;
