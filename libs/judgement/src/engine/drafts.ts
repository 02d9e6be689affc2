import type { Entity } from '../world/entity';
import type { FormerPart } from '../world/former-row';
import { type FormerDraft, isSomething } from './former-draft';

/** What has no evidence is forgotten after an hour. */
const FORGET_MS = 3600_000;
/** Rows that are remembered at most; about 2 KB each. */
const MOST = 20_000;

/**
 * The rows of others that are remembered, each with its parts, and which of them changed lately.
 */
export class Drafts {
  /** In the order in which they were first remembered. */
  readonly #drafts = new Map<string, FormerDraft>();
  /** By the uid of a part: itself, and the uid of the row by which it is remembered. */
  readonly #parts = new Map<string, { readonly part: FormerPart; readonly root: string }>();
  readonly #changed = new Set<string>();
  #count = 0;

  get size(): number {
    return this.#drafts.size;
  }

  get(uid: string): FormerDraft | undefined {
    return this.#drafts.get(uid);
  }

  part(uid: string): FormerPart | undefined {
    return this.#parts.get(uid)?.part;
  }

  /** The row, or the row by which it is remembered as a part. */
  holding(uid: string): FormerDraft | undefined {
    return this.#drafts.get(this.#parts.get(uid)?.root ?? uid);
  }

  /** Takes up one that was remembered before. */
  recall(draft: FormerDraft): void {
    this.#drafts.set(draft.uid, draft);
    this.#count += 1 + draft.parts.length;
    for (const part of draft.parts) this.#parts.set(part.uid, { part, root: draft.uid });
  }

  /**
   * Remembers that something happened to the row.
   *
   * @param owner undefined of a row that is Kube-OVN's or may be.
   * @param at when, RFC 3339.
   */
  open(
    { kind, uid, name }: Pick<Entity, 'kind' | 'uid' | 'name'>,
    owner: string | undefined,
    at: string,
  ): FormerDraft {
    let draft = this.#drafts.get(uid);
    if (!draft) {
      draft = {
        uid,
        name,
        table: kind,
        owner: owner ?? 'kube-ovn',
        onKubeOvns: owner === undefined,
        parts: [],
        referrers: [],
        since: at,
        until: at,
        evidence: [],
      };
      this.#drafts.set(uid, draft);
      this.#count += 1;
    }
    draft.until = at;
    this.#changed.add(uid);
    return draft;
  }

  /** Remembers a row as part of another; what was remembered of it is replaced. */
  add(draft: FormerDraft, part: FormerPart): void {
    if (this.#parts.get(part.uid)?.root !== draft.uid) this.forgetPart(part.uid);
    const known = this.#parts.get(part.uid)?.part;
    if (known) draft.parts[draft.parts.indexOf(known)] = part;
    else {
      draft.parts.push(part);
      this.#count += 1;
    }
    this.#parts.set(part.uid, { part, root: draft.uid });
  }

  /** Forgets what is remembered of a row as part of another. */
  forgetPart(uid: string): void {
    const known = this.#parts.get(uid);
    const draft = known && this.#drafts.get(known.root);
    if (!draft) return;
    draft.parts = draft.parts.filter((it) => it.uid !== uid);
    this.#parts.delete(uid);
    this.#count -= 1;
    this.#changed.add(draft.uid);
  }

  /** Something about it is otherwise now. */
  mark({ uid }: FormerDraft): void {
    this.#changed.add(uid);
  }

  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** The uids of what changed since the last call, also of what is not remembered any more. */
  takeChanged(): readonly string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** When the newest of what changed happened, in milliseconds. */
  latest(): number {
    let latest = -Infinity;
    for (const uid of this.#changed) {
      const draft = this.#drafts.get(uid);
      if (draft) latest = Math.max(latest, Date.parse(draft.until));
    }
    return latest;
  }

  /** Forgets what is back, and what has no evidence: the oldest first where there is too much. */
  forget(): void {
    for (const uid of this.#changed) {
      const draft = this.#drafts.get(uid);
      if (draft && !isSomething(draft)) this.#drop(draft);
    }
    const before = this.latest() - FORGET_MS;
    for (const draft of this.#drafts.values()) {
      const isOld = draft.evidence.length === 0 && Date.parse(draft.until) < before;
      if (isOld || this.#count > MOST) this.#drop(draft);
      else if (draft.evidence.length === 0) break;
    }
  }

  forgetAll(): void {
    for (const draft of [...this.#drafts.values()]) this.#drop(draft);
  }

  #drop(draft: FormerDraft): void {
    this.#drafts.delete(draft.uid);
    for (const { uid } of draft.parts) this.#parts.delete(uid);
    this.#count -= 1 + draft.parts.length;
    this.#changed.add(draft.uid);
  }
}
