import type { Cluster } from '../cluster';

/** What anybody but the executor may do, at any moment. */
export type Move = (cluster: Cluster) => void;

export const APPS = ['web', 'db'] as const;
