// What other applications serve of an executor; it loads Nest, which index.ts does not.
export { DECIDERS, DECISIONS, DecisionsController } from './decide/decisions.controller';
export { ActionsController, LEDGER } from './service/actions.controller';
