// What other applications serve of an analyzer; it loads Nest, which index.ts does not.
export { CLUSTER_VIEWS, FindingsController } from './report/findings.controller';
