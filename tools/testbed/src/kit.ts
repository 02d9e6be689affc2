/** What can be provisioned. */
export const KITS = ['ovn', 'kubernetes'] as const;

export type Kit = (typeof KITS)[number];
