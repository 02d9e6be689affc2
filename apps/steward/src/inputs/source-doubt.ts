import type { SourceKnowledge } from '@ovn-steward/client';
import { stalenessOf } from './memory-age';

const MOST_NAMES = 5;

/**
 * Why an empty list of findings would not mean that all is well, as sentences: what the status of
 * each source says is not known. Undefined where all is known.
 * @param now milliseconds since 1970.
 */
export function doubtAboutSources(
  sources: readonly SourceKnowledge[],
  where: string,
  now: number,
): string | undefined {
  const heard = sources.map(({ source, incomplete, freshThrough }) => ({
    source,
    state: incomplete.some((it) => it.state === 'listing') ? 'listing' : 'complete',
    observedThrough: freshThrough ?? '',
  }));
  const doubts = [
    stalenessOf(heard, where, now),
    ...sources.flatMap(incompleteText),
    withheldText(sources),
    pairingText(sources),
    ...sources.flatMap(({ source, caughtUp }) =>
      caughtUp ? [] : [`Findings of ${source} are missing from what was read.`],
    ),
  ].filter((it) => it !== undefined);
  return doubts.length === 0 ? undefined : doubts.join(' ');
}

/** The same of a server that says nothing of its sources, such as an executor. */
export const doubtAboutServer = (url: string): string =>
  `${url} does not say how far the sources are known. An executor lists only confirmed findings with a remedy, a collector none: name an analyzer or a steward run for all.`;

function incompleteText({ source, complete, incomplete, freshThrough }: SourceKnowledge): string[] {
  if (complete || freshThrough === null) return [];
  const unavailable = incomplete.filter((it) => it.state !== 'listing');
  if (unavailable.length === 0) return [];
  const reasons = [...new Set(unavailable.map((it) => it.reason ?? it.state))];
  return [
    `Of ${source} not known: ${namesText(unavailable.map((it) => it.kind))} (${reasons.join(', ')}).`,
  ];
}

/** A source that is not collected withholds nothing that was ever to be expected. */
function withheldText(sources: readonly SourceKnowledge[]): string | undefined {
  const withheld = new Map(
    sources
      .filter((it) => it.freshThrough !== null)
      .flatMap((it) => it.withheld.map(({ rule, reason }) => [rule, reason] as const)),
  );
  const [first] = withheld.values();
  return first === undefined
    ? undefined
    : `${withheld.size === 1 ? '1 rule reports' : `${withheld.size} rules report`} nothing now: ${namesText([...withheld.keys()])}. The first because: ${first}.`;
}

const pairingText = (sources: readonly SourceKnowledge[]): string | undefined =>
  sources.some((it) => it.pairing === 'mispaired')
    ? 'This Kubernetes and this Northbound are not one cluster.'
    : undefined;

const namesText = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;
