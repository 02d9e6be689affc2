import type { ClusterIdentity } from '../cluster-identity';

/**
 * A person's statement that Kube-OVN was uninstalled on purpose from one Kubernetes, and that one
 * Northbound was its network: both by their identities, so that it cannot be made of any other
 * cluster by habit. `nb:<_uuid of the NB_Global row>/<uid of namespace kube-system>`, or `cid:<raft
 * cluster id>/…`.
 */
export const UNINSTALLED =
  /^(?:cid|nb):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[A-Za-z0-9-]{1,100}$/;

/** The statement about a pair. */
export const uninstalledText = ({ northbound, kubernetes }: ClusterIdentity): string =>
  `${northbound}/${kubernetes}`;

/** The pair a statement is about. @param text one that `UNINSTALLED` matches. */
export function uninstalledOf(text: string): ClusterIdentity {
  const slash = text.indexOf('/');
  return { northbound: text.slice(0, slash), kubernetes: text.slice(slash + 1) };
}
