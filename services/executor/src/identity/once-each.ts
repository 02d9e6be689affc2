/** So many are remembered; beyond that all are forgotten, and each is said once more. */
const MOST_SAID = 10_000;

/**
 * Whether something is said for the first time, so that a refusal that is met in every turn makes
 * one event.
 * @returns true once for each text.
 */
export function onceEach(): (text: string) => boolean {
  const seen = new Set<string>();
  return (text) => {
    if (seen.has(text)) return false;
    if (seen.size >= MOST_SAID) seen.clear();
    seen.add(text);
    return true;
  };
}
