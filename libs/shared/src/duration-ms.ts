const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
/** The form of a duration. */
export const DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d))+$/;
const PART = /(\d+)(ms|s|m|h|d)/g;

/**
 * `15m`, `30s`, `500ms`, `1h30m`, `7d` in ms; undefined for anything else, a number without a unit
 * among it.
 */
export function durationMs(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  return [...text.matchAll(PART)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS.get(unit ?? '') ?? NaN),
    0,
  );
}
