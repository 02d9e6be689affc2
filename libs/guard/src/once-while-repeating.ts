/**
 * A failure that was not met for so long had passed: what is tried again waits ten minutes at most,
 * where the API server says so.
 */
const PASSED_MS = 15 * 60_000;

/**
 * Whether a failure is new, as it was not met of late. Several may repeat by turns: each of the
 * kinds that a guard follows fails by itself.
 * @param now milliseconds, of a clock that is never set back.
 */
export function onceWhileRepeating(
  now: () => number = () => performance.now(),
): (error: string) => boolean {
  const metAt = new Map<string, number>();
  return (error) => {
    const at = now();
    for (const [known, last] of metAt) if (at - last >= PASSED_MS) metAt.delete(known);
    const isNew = !metAt.has(error);
    metAt.set(error, at);
    return isNew;
  };
}
