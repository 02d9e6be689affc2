import type { Change } from '@ovn-steward/contracts/changes/change';
import type { MirrorEntry, MirrorWrite } from '../mirror/mirror';

/** Consecutive changes, and what they write to the mirror. */
export interface StagedChanges {
  readonly changes: readonly Change[];
  /**
   * Of each change whose `object` was hashed here, that as JSON: as it was hashed, so that it need
   * not be written twice.
   */
  readonly contents: readonly (string | undefined)[];
  readonly writes: readonly MirrorWrite[];
}

/** The changes of a step that is being made, and what they write to the mirror. */
export class StagedStep {
  #changes: Change[] = [];
  #contents: (string | undefined)[] = [];
  #writes: MirrorWrite[] = [];
  /** The effect of `#writes`, for reading one's own writes: kind → uid → entry. */
  readonly #entries = new Map<string, Map<string, MirrorEntry | null>>();

  /** How many changes. */
  get size(): number {
    return this.#changes.length;
  }

  add(change: Change, contents: string | undefined): void {
    this.#changes.push(change);
    this.#contents.push(contents);
  }

  /** @param entry null for one that is removed. */
  write(kind: string, uid: string, entry: MirrorEntry | null): void {
    this.#writes.push({ kind, uid, entry });
    let ofKind = this.#entries.get(kind);
    if (!ofKind) this.#entries.set(kind, (ofKind = new Map()));
    ofKind.set(uid, entry);
  }

  /** Null for one that is removed, undefined where the step does not touch it. */
  entry(kind: string, uid: string): MirrorEntry | null | undefined {
    return this.#entries.get(kind)?.get(uid);
  }

  /** Everything written, removals included. */
  *keys(): Generator<readonly [kind: string, uid: string]> {
    for (const [kind, entries] of this.#entries)
      for (const uid of entries.keys()) yield [kind, uid];
  }

  /** What was staged; the next step begins. */
  take(): StagedChanges {
    const staged = { changes: this.#changes, contents: this.#contents, writes: this.#writes };
    this.#changes = [];
    this.#contents = [];
    this.#writes = [];
    this.#entries.clear();
    return staged;
  }
}
