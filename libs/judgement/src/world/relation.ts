import type { Entity } from './entity';

/** `ovn-nb` stands for every table of the Northbound database, also those we have no type for. */
export type Kinds<K extends string> = readonly K[] | 'ovn-nb';

/**
 * An index the fold keeps: under which keys an entity is found. `keys` is pure and reads nothing
 * but the entity, so the same entity always leaves by the keys it came in by, and a change to it
 * re-checks only what read one of those keys.
 */
export interface Relation<K extends string = string> {
  readonly id: string;
  readonly kinds: Kinds<K>;
  keys(entity: Entity<K>): readonly string[];
  /**
   * Whether one is as good as the other to readers of `cell.aspect`: they need not be checked again
   * when it takes the other's place. Pure.
   */
  same?(before: Entity<K>, after: Entity<K>): boolean;
  /**
   * How many are found under a key is kept, and not who they are: for thousands under one key, of
   * which no reader asks more than whether there are any.
   */
  readonly counted?: true;
}

/** A relation of which it is kept who is found under a key. */
export interface ListedRelation<K extends string = string> extends Relation<K> {
  readonly counted?: never;
}

/** A relation of which nobody can ask who is found under a key. */
export interface CountedRelation<K extends string = string> extends Relation<K> {
  readonly counted: true;
}

/** Declares a relation; see the registry beside the relations. */
export function defineRelation<K extends string>(relation: CountedRelation<K>): CountedRelation<K>;
export function defineRelation<K extends string>(relation: ListedRelation<K>): ListedRelation<K>;
export function defineRelation(relation: Relation): Relation {
  return relation;
}

/**
 * A running figure per key, for questions whose honest answer would visit thousands of entities
 * (how many addresses of a subnet are held?). `add` and `remove` undo each other exactly and cost
 * O(1).
 */
export interface Tally<K extends string = string, A = unknown> {
  readonly id: string;
  readonly kinds: Kinds<K>;
  keys(entity: Entity<K>): readonly string[];
  start(): A;
  add(figure: A, entity: Entity<K>, key: string): void;
  remove(figure: A, entity: Entity<K>, key: string): void;
  /** Kept of recordings alone: of living systems no reader needs it. */
  readonly ofRecordings?: true;
  /**
   * The verdict on the figure, for readers that need only that: they are re-checked when it
   * changes, not at each step of the figure. O(1).
   */
  verdict?(figure: A): string;
}

export const defineTally = <K extends string, A>(tally: Tally<K, A>): Tally<K, A> => tally;
