import { z } from 'zod';
import { safeText } from './safe-text';

/**
 * Which two living systems are meant, whatever they are called and wherever they are: a name can be
 * given twice, and an address can lead to another cluster tomorrow. Two pairs are one only when
 * both halves are equal.
 */
export const ClusterIdentity = z.object({
  /**
   * `cid:<raft cluster id>`, or `nb:<_uuid of the NB_Global row>` of a standalone server. A copy of
   * a standalone database's file has the same.
   */
  northbound: z.string().min(1),
  /** The uid of Namespace kube-system, which lives as long as its cluster. */
  kubernetes: z.string().min(1),
});
export type ClusterIdentity = z.infer<typeof ClusterIdentity>;

export const sameIdentity = (a: ClusterIdentity, b: ClusterIdentity): boolean =>
  a.northbound === b.northbound && a.kubernetes === b.kubernetes;

/** For messages: `the Northbound nb:… with the Kubernetes 5d1c…`. */
export const identityText = ({ northbound, kubernetes }: ClusterIdentity): string =>
  `the Northbound ${safeText(northbound)} with the Kubernetes ${safeText(kubernetes)}`;
