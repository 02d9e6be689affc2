import type { RefusedTransaction } from './northbound';

/** What a server answered that refused a transaction: its word, and its details if it gave any. */
export const refusalText = ({
  error,
  details,
}: Pick<RefusedTransaction, 'error' | 'details'>): string =>
  details === undefined ? error : `${error} (${details})`;
