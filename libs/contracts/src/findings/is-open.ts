import type { Finding } from './finding';

/** Whether a finding is reported as standing: it is not over, and nobody suppressed it. */
export const isOpen = ({ state }: Pick<Finding, 'state'>): boolean =>
  state !== 'resolved' && state !== 'suppressed';
