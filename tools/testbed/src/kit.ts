/** What can be provisioned. */
export const KITS = [
  'ovn',
  'kafka',
  'kubernetes',
  'kubectl',
  'promtool',
  'alertmanager',
  'grafana',
  'helm',
  'shells',
] as const;

export type Kit = (typeof KITS)[number];
