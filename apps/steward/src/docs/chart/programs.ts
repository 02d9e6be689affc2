/** The images that the chart may start. */
export const PROGRAMS = ['steward', 'collector', 'analyzer', 'executor', 'notifier'] as const;
