import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Entity } from '../world/entity';
import { keyOf } from '../world/entity';
import type { Metadata } from '../world/typed-object';

/** What keeps an object from going: a sentence, and the object behind it when there is one. */
export interface Blocker {
  readonly because: string;
  readonly by?: Entity;
  /** All that are behind it, `by` among them, in a fixed order. */
  readonly all?: readonly Entity[];
  /** What a person does about it, where nothing that is behind it can be freed. */
  readonly remedy?: string;
  /** The same as a line for a shell, where there is one. */
  readonly run?: string | undefined;
}

/** Any Kubernetes object we hold. */
export type Deletable = Omit<Entity, 'object'> & {
  readonly object: { readonly metadata: Metadata };
};

/**
 * Whether the object is to go, at once or when its finalizers are off. False for what has no
 * metadata.
 */
export const isBeingDeleted = ({ object }: { readonly object: object }): boolean =>
  (object as Partial<Deletable['object']>).metadata?.deletionTimestamp !== undefined;

/** Whether the object is being deleted and waits for its finalizers to be removed. */
export const isTerminating = (entity: { readonly object: object }): boolean =>
  isBeingDeleted(entity) &&
  ((entity.object as Partial<Deletable['object']>).metadata?.finalizers ?? []).length > 0;

const MOST_NAMED = 5;

/** `3 addresses are held in it: IP a, Vip b, …`, named in a fixed order. */
export function held(what: string, by: readonly Entity[], total = by.length): Blocker[] {
  if (by.length === 0) return [];
  const all = [...by].sort(ascendingBy(describeEntity));
  const named = all.slice(0, MOST_NAMED);
  const rest = total - named.length;
  return [
    {
      because: `${what}: ${named.map(describeEntity).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
      by: named[0]!,
      all,
    },
  ];
}

export const describeEntity = (entity: Omit<Entity, 'object'>): string =>
  `${entity.kind} ${keyOf(entity) || entity.uid}`;
