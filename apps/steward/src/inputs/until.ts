import { Duration } from '@ovn-steward/shared/settings/duration';
import { Failure } from '@ovn-steward/shared/errors';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * `2h` from now, or a moment with its time zone (`2026-03-02T18:00Z`), as RFC 3339 in UTC.
 * @throws Failure `config-invalid`, also for what is over.
 */
export function momentOf(text: string, now: Date): string {
  const { data: ms } = Duration.safeParse(text);
  const at = ms === undefined ? (MOMENT.test(text) ? Date.parse(text) : NaN) : now.getTime() + ms;
  if (Number.isNaN(at))
    throw new Failure(
      'config-invalid',
      `${JSON.stringify(text)} is no time: give a duration, such as 90m, 2h or 1d, or a time with its time zone, such as 2026-03-02T18:00:00Z.`,
    );
  if (at <= now.getTime())
    throw new Failure('config-invalid', `${text} has passed: it is ${now.toISOString()} now.`);
  return new Date(at).toISOString();
}
