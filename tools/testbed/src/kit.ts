/** What can be provisioned. */
export const KITS = ['ovn', 'kafka', 'kubernetes', 'kubectl'] as const;

export type Kit = (typeof KITS)[number];
