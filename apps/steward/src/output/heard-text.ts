import { safeText } from '@ovn-steward/shared/safe-text';
import type { Heard } from '../inputs/wait-heard';

/** Which executors said that they respect a decision, one line each. */
export const heardLines = ({ heard }: Heard): string =>
  heard
    .map(({ executor, at }) => `Acknowledged by ${safeText(executor)} at ${safeText(at, 40)}.\n`)
    .join('');

/**
 * Which executors did not read it, and why it cannot be relied on, one line each; empty where the
 * executor that acts read it.
 * @param seconds how long was waited; undefined where no executor runs that could be waited for.
 */
export function unheardLines(
  { all, unheard, counts, unknown }: Heard,
  cluster: string,
  seconds: number | undefined,
): readonly string[] {
  if (unknown !== undefined)
    return [`NOT KNOWN whether it was acknowledged: ${safeText(unknown, 500)}`];
  const seen = unheard
    .filter(({ replaced }) => replaced || seconds === undefined)
    .map(
      ({ executor, at, replaced }) =>
        `${safeText(executor)} was last seen at ${safeText(at, 40)}${replaced ? '; another executor took over from it since, and its acknowledgement is not waited for' : ''}.`,
    );
  if (all || seconds === undefined) return seen;
  const silent = unheard
    .filter(({ replaced }) => !replaced)
    .map(
      ({ executor, at }) =>
        `NOT acknowledged by ${safeText(executor)} within ${seconds} s; it was last seen at ${safeText(at, 40)}.`,
    );
  if (!counts)
    silent.unshift(
      'NOT applied: another decision about the same scope counts, or the signature of this one is not trusted. steward holds shows what is in force, steward keys list shows which keys these settings trust.',
    );
  if (silent.length === 0)
    silent.push(
      `NOT acknowledged within ${seconds} s: no executor of cluster ${safeText(cluster)} follows decisions now. One that starts later applies it before it does anything. (Executors of earlier versions apply it without an acknowledgement.)`,
    );
  return [...silent, ...seen];
}
