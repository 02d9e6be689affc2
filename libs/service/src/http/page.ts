import { ascendingBy } from '@ovn-steward/shared/compare';
import { z } from 'zod';

/** The keys that every query for a list has, to be spread into its own. */
export const OF_CLUSTER = {
  cluster: z.string().min(1).max(253).optional().describe('Only of this cluster.'),
};

/**
 * The key by which a query chooses a rule, to be spread into it.
 * @param refuse what is wrong with an id, as zod's `superRefine` wants it.
 */
export const ofRule = (refuse: (id: string, context: z.RefinementCtx<string>) => void) => ({
  rule: z.string().min(1).max(100).superRefine(refuse).optional().describe('Only of this rule.'),
});

/** The keys by which a list is read page by page, to be spread into its query. */
export const IN_PAGES = {
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('At most so many.'),
  after: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only ids behind this one: the `next` of the answer before.'),
};

/** The keys that say where a page stands, to be spread into the answer. */
export const PAGE = {
  total: z.number().int().nonnegative().describe('How many match, on all pages.'),
  next: z.string().nullable().describe('Where the next page begins; null on the last.'),
};

/** A query for a page: at most `limit`, of the ids behind `after`. */
export interface PageQuery {
  readonly limit: number;
  readonly after?: string | undefined;
}

/**
 * One page of the items, in the order of their ids, so that pages fit together while items come and
 * go.
 */
export function pageOf<T extends { readonly id: string }>(
  items: readonly T[],
  { limit, after }: PageQuery,
): { readonly shown: T[]; readonly next: string | null } {
  const behind = items
    .filter(({ id }) => after === undefined || id > after)
    .sort(ascendingBy((it) => it.id));
  const shown = behind.slice(0, limit);
  return { shown, next: behind.length > shown.length ? shown.at(-1)!.id : null };
}
