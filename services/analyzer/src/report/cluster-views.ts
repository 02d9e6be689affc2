/** What is known of the clusters at this moment: `() => readonly ClusterView[]`. */
export const CLUSTER_VIEWS = Symbol('CLUSTER_VIEWS');
