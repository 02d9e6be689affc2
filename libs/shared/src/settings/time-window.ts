import { z } from 'zod';

/** A span of time that comes back every week, by the clock on the wall of its zone. */
export interface TimeWindow {
  /** As written in the settings. */
  readonly text: string;
  /** The days it begins on; 0 is Sunday. */
  readonly days: ReadonlySet<number>;
  /** Minutes after midnight, 0–1439. */
  readonly from: number;
  /** Minutes after midnight, 1–1440, not in it any more; up to `from`: on the day after. */
  readonly to: number;
  /** An IANA name. */
  readonly zone: string;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const LAST_MINUTE = 24 * 60;
const SPAN = /^(\d{2}):([0-5]\d)-(\d{2}):([0-5]\d)$/;
/** Offsets such as `+02:00` are none: they know no summer. */
const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** `Mon-Fri`, `Sat,Sun`, `Fri-Mon`; undefined for anything else. */
function daysOf(text: string): ReadonlySet<number> | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const ends = part.split('-').map((it) => DAYS.indexOf(it));
    const [first = -1, last = first] = ends;
    if (ends.length > 2 || ends.includes(-1)) return undefined;
    days.add(last);
    for (let day = first; day !== last; day = (day + 1) % DAYS.length) days.add(day);
  }
  return days;
}

function spanOf(text: string): { readonly from: number; readonly to: number } | undefined {
  const [hour = NaN, minute = NaN, toHour = NaN, toMinute = NaN] = (SPAN.exec(text) ?? [])
    .slice(1)
    .map(Number);
  const from = hour * 60 + minute;
  const to = toHour * 60 + toMinute;
  return from < LAST_MINUTE && to <= LAST_MINUTE
    ? { from, to: to === 0 ? LAST_MINUTE : to }
    : undefined;
}

function isZone(name: string): boolean {
  try {
    return (
      ZONE.test(name) &&
      new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
    );
  } catch {
    return false;
  }
}

/**
 * `[days] from-to [zone]`: `Mon-Fri 22:00-06:00 Europe/Berlin`; every day and UTC by default. What
 * is wrong with it, where it is none.
 */
function timeWindow(text: string): TimeWindow | string {
  const parts = text.trim().split(/\s+/);
  const at = parts.findIndex((it) => /^\d/.test(it));
  const days = daysOf(parts.slice(0, Math.max(at, 0)).join(' ') || 'Sun-Sat');
  const span = spanOf(parts[at] ?? '');
  const zone = parts[at + 1] ?? 'UTC';
  if (at < 0 || at > 1 || parts.length > at + 2)
    return 'not a window: write days, from-to and a time zone, such as Mon-Fri 22:00-06:00 Europe/Berlin';
  if (!days)
    return `its days are none: write ${DAYS.slice(1).join(', ')} or Sun, ranges with "-", several with ",", such as Mon-Thu,Sat`;
  if (!span)
    return 'its times are none: write HH:MM-HH:MM, from 00:00 to 24:00, such as 22:00-06:00';
  if (span.from === span.to) return 'it ends when it begins: write 00:00-24:00 for whole days';
  if (!isZone(zone)) return 'its time zone is none: write a name such as Europe/Berlin or UTC';
  return { text, days, ...span, zone };
}

/** Its form: the names of days and zones are not checked. */
const WINDOW_FORM = String.raw`^\s*(?:[A-Za-z,-]+\s+)?\d{2}:[0-5]\d-\d{2}:[0-5]\d(?:\s+[A-Za-z][A-Za-z0-9_+/-]*)?\s*$`;

/** A setting that holds one. */
export const TimeWindow = z
  .string()
  .meta({ pattern: WINDOW_FORM })
  .transform((text, context): TimeWindow => {
    const window = timeWindow(text);
    if (typeof window !== 'string') return window;
    context.addIssue({ code: 'custom', message: window });
    return z.NEVER;
  });
