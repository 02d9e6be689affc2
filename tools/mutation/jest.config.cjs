// What Stryker runs jest with: the project `unit`, without the other. tools/mutation/stryker.cjs says which folder's tests.
const { projects } = require('../../jest.config.cjs');

module.exports = { ...projects.find((it) => it.displayName === 'unit'), testTimeout: 30_000 };
