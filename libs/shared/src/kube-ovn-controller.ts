/**
 * What Kube-OVN calls its controller: the Deployment and the beginning of its pods' names, the
 * label `app` of both, and the Lease by which they settle who leads (kube-ovn.md §0.1, §0.2).
 */
export const KUBE_OVN_CONTROLLER = 'kube-ovn-controller';
