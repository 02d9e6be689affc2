/** What can be provisioned. */
export const KITS = ['ovn', 'kafka', 'kubernetes', 'kubectl', 'promtool', 'helm'] as const;

export type Kit = (typeof KITS)[number];
