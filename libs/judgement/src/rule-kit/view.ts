import type { Fact, Ownership } from '@ovn-steward/contracts/findings/finding';
import { ownershipOf } from '../ownership/ownership';
import type { Neighbourhood } from '../ownership/grammar/row';
import type { Cell } from '../world/cell';
import { cell, someOf } from '../world/cell';
import type { Entity, Identity, Kind } from '../world/entity';
import { neighbourhoodOf } from './neighbourhood';
import type { KindBits } from './declared-kinds';
import { doubtOfLists, type ListDoubt } from './cut-lists';
import { type Pairing, pairing } from './pairing';
import type { ReadableWorld } from '../world/readable';
import type { Kinds, ListedRelation, Relation, Tally } from '../world/relation';
import { SOUTHBOUND } from '../world/southbound-kinds';

/** Not having heard of something is not its absence. */
export type Presence = 'present' | 'absent' | 'unknown';

/**
 * What a rule sees of the world: only the kinds it declared. Every read is recorded so that the
 * engine knows when to check again: cells by subject, kinds whose absence it believed for the rule
 * as a whole. `K` are the declared kinds; reading another does not compile, and throws where types
 * were circumvented.
 */
export class View<K extends Kind = Kind> {
  readonly #world: ReadableWorld;
  readonly #declared: KindBits;
  readonly #believed: (kind: string) => void;
  readonly #uninstalled: readonly string[];
  /** Made when it is first needed: most rules never are about rows that have an owner. */
  #neighbourhood: Neighbourhood | undefined;
  #seen: Set<Cell> | undefined;
  #kinds = 0;

  /**
   * @param believed is called with each kind whose absences the check relies on.
   * @param uninstalled statements of people (`UNINSTALLED`).
   */
  constructor(
    world: ReadableWorld,
    declared: KindBits,
    believed: (kind: string) => void = () => {},
    uninstalled: readonly string[] = [],
  ) {
    this.#world = world;
    this.#uninstalled = uninstalled;
    this.#declared = declared;
    this.#believed = believed;
  }

  /**
   * Runs a check and returns its answer with the cells and the kinds it read, for `kindsOf`.
   * Outside of it no read is recorded.
   */
  recordReads<T>(check: () => T): { answer: T; cells: Set<Cell>; kinds: number } {
    const cells = (this.#seen = new Set<Cell>());
    this.#kinds = 0;
    try {
      const answer = check();
      return { answer, cells, kinds: this.#kinds };
    } finally {
      this.#seen = undefined;
    }
  }

  /** The declared kinds behind what `watch` returned. */
  kindsOf(kinds: number): readonly string[] {
    return this.#declared.in(kinds);
  }

  /** Whether an object with this key (`namespace/name` or name) exists, whatever it says. */
  presence(kind: K, key: string): Presence {
    this.#allow(kind);
    return this.#presence(kind, key);
  }

  /** The object with this key, when there is one. Absence here proves nothing: call `presence`. */
  get<T extends K>(kind: T, key: string): Entity<T> | undefined {
    this.#allow(kind);
    this.#seen?.add(cell.key(kind, key));
    return this.#world.byKey(kind, key).at(-1) as Entity<T> | undefined;
  }

  /** Every entity with this key. That there is none proves nothing: call `presence`. */
  named<T extends K>(kind: T, key: string): readonly Entity<T>[] {
    this.#allow(kind);
    this.#seen?.add(cell.key(kind, key));
    return this.#world.byKey(kind, key) as readonly Entity<T>[];
  }

  byUid<T extends K>(kind: T, uid: string): Entity<T> | undefined {
    this.#allow(kind);
    this.#seen?.add(cell.uid(uid));
    return this.#world.entity(kind, uid) as Entity<T> | undefined;
  }

  /**
   * Which entity has the uid and what it is called. Cheaper to depend on than `byUid`: what it says
   * may change.
   */
  identity<T extends K>(kind: T, uid: string): Identity<T> | undefined {
    this.#allow(kind);
    this.#seen?.add(cell.identity(uid));
    return this.#world.entity(kind, uid) as Identity<T> | undefined;
  }

  /**
   * Which entities have this key. Cheaper to depend on than `get`: what they say may change. That
   * there is none proves nothing: call `presence`.
   */
  identities(kind: K, key: string): readonly Identity[] {
    this.#allow(kind);
    this.#seen?.add(cell.presence(kind, key));
    return this.#world.byKey(kind, key);
  }

  /**
   * Entities found under the key, in no particular order: sort what reaches a finding. `limit` is
   * for groups that may be huge.
   */
  related<T extends K>(
    relation: ListedRelation<T>,
    key: string,
    limit?: number,
  ): readonly Entity<T>[] {
    this.#allowAll(relation);
    this.#seen?.add(cell.relation(relation.id, key));
    return this.#world.related(relation.id, key, limit) as readonly Entity<T>[];
  }

  /**
   * Whether any entity is found under the key. Cheaper to depend on than `related`: what it says
   * may change.
   */
  has<T extends K>(relation: Relation<T>, key: string): boolean {
    this.#allowAll(relation);
    this.#seen?.add(cell.some(relation.id, key));
    return this.#world.hasRelated(relation.id, key);
  }

  /**
   * The running figure under the key; undefined when nothing contributes. Read it, never change it.
   */
  tallied<T extends K, A>(tally: Tally<T, A>, key: string): A | undefined {
    this.#allowAll(tally);
    this.#seen?.add(cell.tally(tally.id, key));
    return this.#world.tallied(tally.id, key) as A | undefined;
  }

  /**
   * The verdict on a tally's figure, for callers that need nothing that the verdict leaves out:
   * cheaper to depend on than `tallied`.
   */
  talliedVerdict<T extends K, A>(tally: Tally<T, A>, key: string): A | undefined {
    this.#allowAll(tally);
    this.#seen?.add(someOf(cell.tally(tally.id, key)));
    return this.#world.tallied(tally.id, key) as A | undefined;
  }

  /** Whether absence in the kind is knowledge now. */
  knows(kind: K): boolean {
    this.#allow(kind);
    return this.#knows(kind);
  }

  /** Whose row it is, with reasons. Protection wins over proof. */
  ownership(row: Entity): Ownership {
    this.#kinds |= this.#declared.tables;
    this.#seen?.add(cell.uid(row.uid));
    return ownershipOf(row, this.#around());
  }

  /**
   * Rows that refer to this one weakly, by name or in a text such as an ACL's match; its strong
   * holders are not among them.
   */
  referrers(row: Entity): readonly Entity[] {
    this.#kinds |= this.#declared.tables;
    const found = this.#around().referrers(row) as readonly Entity[];
    for (const { uid } of found) this.#note(cell.uid(uid)); // a rule may read all they say
    return found;
  }

  /**
   * Whether the database is the network of this Kubernetes: what both say proves nothing unless it
   * is.
   */
  pairing(): Pairing {
    return pairing(this.#world, (it) => this.#note(it), this.#believed, this.#uninstalled);
  }

  /**
   * Why the Southbound was not recorded when Kubernetes was, in one sentence; undefined of living
   * systems.
   */
  southboundApart(): string | undefined {
    return this.#world.apart(SOUTHBOUND);
  }

  /**
   * Why what these facts call absent may only be missing in a recording; undefined of living
   * systems.
   */
  doubtOfLists(proof: readonly Fact[], how?: ListDoubt): string | undefined {
    return doubtOfLists(this.#world, proof, (it) => this.#note(it), how);
  }

  /**
   * Whether it is known that there is no such Namespace; any rule may call this, as it decides
   * nothing.
   */
  isNamespaceGone(name: string): boolean {
    return this.#presence('Namespace', name) === 'absent';
  }

  #presence(kind: string, key: string): Presence {
    this.#seen?.add(cell.presence(kind, key));
    if (this.#world.hasKey(kind, key)) return 'present';
    return this.#knows(kind) ? 'absent' : 'unknown';
  }

  #knows(kind: string): boolean {
    this.#believed(kind);
    return this.#world.knows(kind);
  }

  #around(): Neighbourhood {
    return (this.#neighbourhood ??= neighbourhoodOf(this.#world, {
      ...(this.#world.followed !== false && { onRead: (it) => this.#note(it) }),
      believed: this.#believed,
    }));
  }

  #note(read: Cell): void {
    this.#seen?.add(read);
  }

  #allow(kind: string): void {
    const bit = this.#declared.of(kind);
    if (bit === undefined) throw new Error(`the rule reads ${kind} without declaring it`);
    this.#kinds |= bit;
  }

  /**
   * What goes over all tables is declared by none: their one stream is that of any declared table.
   */
  #allowAll({ kinds }: { readonly kinds: Kinds<string> }): void {
    if (kinds !== 'ovn-nb') kinds.forEach((kind) => this.#allow(kind));
    else this.#kinds |= this.#declared.tables;
  }
}
