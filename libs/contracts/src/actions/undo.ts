import { z } from 'zod';

/**
 * A row as it was, in the JSON of RFC 7047 section 5.1: every stored column that is not at its
 * default, `_uuid` and `_version` left out.
 */
export const StoredRow = z.object({
  table: z.string(),
  uuid: z.string(),
  name: z.string(),
  columns: z.record(z.string(), z.unknown()),
});
export type StoredRow = z.infer<typeof StoredRow>;

/** That a row, which stays, referred to one that was removed. */
export const StoredLink = z.object({
  table: z.string(),
  uuid: z.string(),
  /** Of the row that stays; '' where its table has none. */
  name: z.string(),
  column: z.string(),
  to: z.object({ table: z.string(), uuid: z.string() }),
  /**
   * `strong`: it held the row, which cannot be without it. `weak`: the database forgot the
   * reference by itself.
   */
  strength: z.enum(['strong', 'weak']),
});
export type StoredLink = z.infer<typeof StoredLink>;

/**
 * What is needed to put back what an action removes; stored before it is removed. `rows`: a row,
 * the rows only it held, and who referred to them. `entry`: one entry of a map or set column.
 * `object`: a Kubernetes object without what the server writes. `field`: a value at a path of an
 * object that stays (JSON Pointer, RFC 6901).
 */
export const Undo = z.discriminatedUnion('of', [
  z.object({ of: z.literal('rows'), rows: z.array(StoredRow).min(1), links: z.array(StoredLink) }),
  z.object({
    of: z.literal('entry'),
    table: z.string(),
    uuid: z.string(),
    name: z.string(),
    column: z.string(),
    key: z.string(),
    value: z.string().nullable(),
  }),
  z.object({
    of: z.literal('object'),
    kind: z.string(),
    manifest: z.record(z.string(), z.unknown()),
  }),
  z.object({
    of: z.literal('field'),
    kind: z.string(),
    namespace: z.string().optional(),
    name: z.string(),
    uid: z.string(),
    path: z.string(),
    value: z.unknown(),
  }),
]);
export type Undo = z.infer<typeof Undo>;
