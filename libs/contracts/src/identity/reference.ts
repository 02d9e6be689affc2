import { z } from 'zod';

/**
 * Where a row or an object lives. An open enum on the wire: readers must tolerate sources they do
 * not know.
 */
export const SourceId = z.enum(['ovn-nb', 'ovn-sb', 'kubernetes']);
export type SourceId = z.infer<typeof SourceId>;

/**
 * One incarnation of one thing: an OVN row by its `_uuid`, a Kubernetes object by its
 * `metadata.uid`. Names are for people; two references are the same thing only when source, kind
 * and uid are equal.
 */
export const Reference = z.object({
  source: SourceId,
  /** The OVN table (`Logical_Switch_Port`) or the Kubernetes kind (`Pod`). */
  kind: z.string().min(1),
  /** Only for namespaced Kubernetes kinds. */
  namespace: z.string().optional(),
  /** `metadata.name`, or the row's `name` column; empty for tables without one. */
  name: z.string(),
  uid: z.string().min(1),
  /**
   * Names one entry inside the row when the finding is about that entry only, such as one key of a
   * load balancer's `vips`.
   */
  part: z.object({ column: z.string(), key: z.string() }).optional(),
});
export type Reference = z.infer<typeof Reference>;

/**
 * `namespace/name`, or the bare name of a cluster-scoped object: the form in which rules check
 * whether an owner exists.
 */
export const objectKey = (namespace: string | undefined, name: string): string =>
  namespace ? `${namespace}/${name}` : name;

/**
 * For messages: `Logical_Switch_Port web-0.shop`, `Pod shop/web-0`; the uid stands in where there
 * is no name.
 */
export const describe = (ref: Pick<Reference, 'kind' | 'namespace' | 'name' | 'uid'>): string =>
  `${ref.kind} ${ref.name ? objectKey(ref.namespace, ref.name) : ref.uid}`;
