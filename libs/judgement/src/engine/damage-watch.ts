import { holderOf, tookLead } from '../kube-ovn/lease-holder';
import { localEvidence } from '../ownership/local-evidence';
import type { MovedEntity, World } from '../world/world';
import { type FormerDraft, hasOnlyLostMembers, isSomething } from './former-draft';
import {
  NEXT_PASS_MS,
  ownEvidence,
  sharedEvidence,
  TOGETHER_MS,
  tookMachines,
  wentWith,
} from './harm';

/** Of what a full read found missing. */
const UNWATCHED = 'it went while the database was not followed';
/** Of what shows nothing by itself. */
const WENT_WITH = 'it went with other rows of others that were damaged';

/** Of a network that went while others of Neutron stand. */
const REPAIR =
  'other networks of Neutron stay, and neutron-ovn-db-sync-util, where it repairs, deletes one that Neutron does not know';

/**
 * Says of what was remembered within the last minutes whether it was harm, and who may have done
 * it.
 */
export class DamageWatch {
  readonly #world: World;
  readonly #recent = new Set<FormerDraft>();
  #harmedAt = -Infinity;
  #led: { readonly holder: string; readonly at: string } | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  observeLease({ before, after }: MovedEntity, at: string): void {
    if (before && tookLead(before, after)) this.#led = { holder: holderOf(after), at };
  }

  add(draft: FormerDraft): void {
    this.#recent.add(draft);
  }

  /** Takes up one that was judged before. */
  recall(draft: FormerDraft): void {
    this.#recent.add(draft);
    if (draft.evidence.length > 0)
      this.#harmedAt = Math.max(this.#harmedAt, Date.parse(draft.until));
  }

  clear(): void {
    this.#recent.clear();
    this.#harmedAt = -Infinity;
  }

  /**
   * Judges what is remembered lately.
   *
   * @param now when the newest of it happened, in milliseconds.
   * @returns those of which something else is said now.
   */
  judge(now: number, isKept: (draft: FormerDraft) => boolean): ReadonlySet<FormerDraft> {
    const reported = new Set<FormerDraft>();
    for (const it of this.#recent)
      if (!isKept(it) || now - Date.parse(it.until) > NEXT_PASS_MS) this.#recent.delete(it);
    this.#judgeTogether(now, reported);
    for (const draft of this.#recent) {
      if (draft.evidence.length > 0 || !isSomething(draft)) continue;
      if (wentWith(draft, this.#harmedAt, hasOnlyLostMembers(draft)))
        this.#mark(draft, [WENT_WITH], reported);
      else if (!hasOnlyLostMembers(draft)) this.#doubt(draft, reported);
    }
    return reported;
  }

  #judgeTogether(now: number, reported: Set<FormerDraft>): void {
    const near = [...this.#recent].filter((it) => now - Date.parse(it.until) <= TOGETHER_MS);
    const shared = sharedEvidence(near);
    for (const draft of near) {
      const together = shared.get(draft.uid);
      const evidence = [
        ...ownEvidence(draft, this.#mayBeRepair(draft)),
        ...(together === undefined ? [] : [together]),
      ];
      if (evidence.length === 0) continue;
      this.#harmedAt = Math.max(this.#harmedAt, Date.parse(draft.until));
      this.#mark(draft, evidence, reported);
    }
  }

  #mark(draft: FormerDraft, evidence: readonly string[], reported: Set<FormerDraft>): void {
    if (draft.evidence.join() === evidence.join()) return;
    draft.evidence = evidence;
    reported.add(draft);
    const leads = this.#leads(draft);
    if (leads !== undefined) draft.writer = leads;
  }

  /**
   * A start of Kube-OVN's controller takes the lead, and leaves no network that is not its own:
   * without a start, where others of Neutron stand, its repair may have taken the one.
   */
  #mayBeRepair(draft: FormerDraft): boolean {
    if (!tookMachines(draft) || this.#leads(draft) !== undefined) return false;
    for (const row of this.#world.entities('Logical_Switch'))
      if (localEvidence(row).owner === 'neutron') return true;
    return false;
  }

  #doubt(draft: FormerDraft, reported: Set<FormerDraft>): void {
    const doubt = draft.unwatched
      ? UNWATCHED
      : (this.#leads(draft) ?? (tookMachines(draft) ? REPAIR : undefined));
    if (doubt === undefined || doubt === draft.doubt) return;
    draft.doubt = doubt;
    reported.add(draft);
  }

  /** Which controller of Kube-OVN's took the lead around that time. */
  #leads({ until }: FormerDraft): string | undefined {
    if (!this.#led || Math.abs(Date.parse(until) - Date.parse(this.#led.at)) > NEXT_PASS_MS)
      return undefined;
    return `Kube-OVN's controller ${this.#led.holder} was seen to take the lead at ${this.#led.at}`;
  }
}
