import { Option } from 'commander';

/**
 * The option `-A` of every list that `-n` narrows. Lists are of all namespaces without it; who
 * types it by habit gets what kubectl would give.
 */
export const allNamespaces = (): Option =>
  new Option('-A, --all-namespaces', 'of all namespaces, as without -n').conflicts('namespace');
