import { z } from 'zod';

/** A time in which nothing is done. */
export interface Freeze {
  /** As written in the settings. */
  readonly text: string;
  /** Milliseconds since 1970, UTC. */
  readonly from: number;
  /** Not in it any more. */
  readonly to: number;
}

/** RFC 3339 with its zone; seconds may be left out. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * undefined for anything else, a day that no calendar has among it (Date takes 30 February for 2
 * March).
 */
function instantOf(text: string): number | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  if (
    day === undefined ||
    Number.isNaN(Date.parse(text)) ||
    !new Date(`${day}T00:00Z`).toISOString().startsWith(day)
  )
    return undefined;
  return Date.parse(text);
}

function freeze(text: string): Freeze | string {
  const ends = text.split('/');
  const [from, to] = ends.map(instantOf);
  if (ends.length !== 2 || from === undefined || to === undefined)
    return 'not a time with a beginning and an end: write 2026-12-20T00:00Z/2027-01-03T00:00Z';
  if (to <= from) return 'it ends before it has begun';
  return { text, from, to };
}

/** A setting that holds one. The pattern gives its form, not that there is such a day. */
const BOTH = `${INSTANT.source.slice(1, -1)}/${INSTANT.source.slice(1, -1)}`;
export const Freeze = z
  .string()
  .meta({ pattern: `^${BOTH}$` })
  .transform((text, context): Freeze => {
    const parsed = freeze(text);
    if (typeof parsed !== 'string') return parsed;
    context.addIssue({ code: 'custom', message: parsed });
    return z.NEVER;
  });
