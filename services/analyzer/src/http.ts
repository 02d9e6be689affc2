// What other applications serve of an analyzer; it loads Nest, which index.ts does not.
export { CLUSTER_VIEWS } from './report/cluster-views';
export { FindingsController } from './report/findings.controller';
export { SourcesController } from './sources/sources.controller';
export { SubnetsController } from './subnets/subnets.controller';
export { UnknownsController } from './report/unknowns.controller';
