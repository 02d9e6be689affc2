/**
 * For how long what was read is used again by default, counted from when the read began, and how
 * long it is kept; milliseconds. Single rows and objects are not cached here.
 */
const MOST_AGE_MS = 5000;

/**
 * What was read in bulk within the last seconds, so that twenty proofs in a second do not list all
 * Services twenty times.
 */
export interface BulkCache {
  /**
   * What `read` returns, or returned to another caller at most `ageMs` ago; counted from when the
   * read began. A failure is not cached.
   */
  share<T>(name: string, read: () => Promise<T>, ageMs?: number): Promise<T>;
}

export function createBulkCache(): BulkCache {
  const entries = new Map<string, { readonly since: number; readonly content: Promise<unknown> }>();
  return {
    share<T>(name: string, read: () => Promise<T>, ageMs = MOST_AGE_MS) {
      const held = entries.get(name);
      if (held && performance.now() - held.since <= ageMs) return held.content as Promise<T>;
      const entry = { since: performance.now(), content: read() };
      const forget = (): void => {
        if (entries.get(name) === entry) entries.delete(name);
      };
      entries.set(name, entry);
      entry.content.then(() => setTimeout(forget, MOST_AGE_MS).unref(), forget);
      return entry.content;
    },
  };
}
