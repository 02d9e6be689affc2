/**
 * What to give kubectl to drain a node of the pods of the chart; the recorded pods beside them have
 * no kubelet that would end them.
 */
export const drain = (node: string): readonly string[] => [
  ...['drain', node, '--pod-selector', 'app.kubernetes.io/name=ovn-steward'],
  ...['--delete-emptydir-data', '--timeout', '170s'],
];
