/** What a watch event means against what was already seen. */
export type EventVerdict =
  /**
   * New: publish it, after the deletion of `replaced`, an earlier object of the same name whose end
   * was never published.
   */
  | { readonly verdict: 'news'; readonly replaced?: string }
  /** Provably older than what is known. */
  | { readonly verdict: 'stale' }
  /**
   * Either the ghost of a deleted object or an event out of order; only a new list can show which.
   */
  | { readonly verdict: 'disorder' };

const STALE: EventVerdict = { verdict: 'stale' };
const DISORDER: EventVerdict = { verdict: 'disorder' };

/**
 * Decimal resourceVersions of one resource are comparable (Kubernetes 1.35, KEP-5504; in practice
 * etcd revisions ever before). Anything else is NaN, which is neither older nor newer than
 * anything, so nothing is dropped on its account.
 */
const revisionOf = (resourceVersion: string): number =>
  /^(0|[1-9]\d{0,14})$/.test(resourceVersion) ? Number(resourceVersion) : NaN;

/** Whether position `a` is provably before `b`. */
export const isEarlierRevision = (a: string, b: string): boolean => revisionOf(a) < revisionOf(b);

/**
 * The names, uids and revisions of one kind as last published: enough to drop a repeated event, to
 * keep a reordered one from resurrecting what is deleted, and to notice a successor whose
 * predecessor's deletion was lost.
 *
 * At any moment one name belongs to at most one uid, so a newer object under a known name proves
 * the end of the older uid. (Were that not published here, the collector's sweep at the next full
 * read would publish it, hours later.)
 */
export class Seen {
  readonly #objects = new Map<string, { uid: string; revision: number }>();
  #listedAt = NaN;
  #through = NaN;

  get size(): number {
    return this.#objects.size;
  }

  /** Whether the name belongs to this uid and was last published at this very revision. */
  holds(key: string, uid: string, resourceVersion: string): boolean {
    const known = this.#objects.get(key);
    return (
      known !== undefined && known.uid === uid && known.revision === revisionOf(resourceVersion)
    );
  }

  /** A full read begins. */
  clear(): void {
    this.#objects.clear();
    this.#listedAt = this.#through = NaN;
  }

  /**
   * An object of a full read; false when the name was there already, which no consistent list does.
   */
  listed(key: string, uid: string, resourceVersion: string): boolean {
    if (this.#objects.has(key)) return false;
    this.#objects.set(key, { uid, revision: revisionOf(resourceVersion) });
    return true;
  }

  /** The full read ended; it holds everything up to its resourceVersion. */
  listedAt(resourceVersion: string): void {
    this.#listedAt = this.#through = revisionOf(resourceVersion);
  }

  put(key: string, uid: string, resourceVersion: string): EventVerdict {
    const revision = revisionOf(resourceVersion);
    const known = this.#objects.get(key);
    if (revision <= this.#listedAt || (known && revision <= known.revision)) return STALE;
    if (!known && revision <= this.#through) return DISORDER;
    this.#objects.set(key, { uid, revision });
    this.#advance(revision);
    return known && known.uid !== uid
      ? { verdict: 'news', replaced: known.uid }
      : { verdict: 'news' };
  }

  /**
   * The end of a uid is final, so it is believed whatever its resourceVersion: old servers send the
   * one before the deletion.
   */
  gone(key: string, uid: string, resourceVersion: string): EventVerdict {
    const revision = revisionOf(resourceVersion);
    const known = this.#objects.get(key);
    if (known && known.uid !== uid && revision <= known.revision) return STALE;
    this.#objects.delete(key);
    this.#advance(revision);
    return known && known.uid !== uid
      ? { verdict: 'news', replaced: known.uid }
      : { verdict: 'news' };
  }

  #advance(revision: number): void {
    if (revision > this.#through || Number.isNaN(this.#through)) this.#through = revision;
  }
}
