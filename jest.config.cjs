const { existsSync } = require('node:fs');
const { join } = require('node:path');

const common = {
  rootDir: __dirname,
  runner: join(__dirname, 'tools', 'jest', 'runner.mjs'),
  setupFiles: [join(__dirname, 'tools', 'jest', 'worker.mjs')],
  setupFilesAfterEnv: [join(__dirname, 'tools', 'jest', 'time-limit.mjs')],
  transform: {}, // worker.mjs does it
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  roots: ['libs', 'services', 'apps', 'tools', 'benchmarks', 'e2e']
    .filter((d) => existsSync(join(__dirname, d)))
    .map((d) => `<rootDir>/${d}`),
};

module.exports = {
  testSequencer: join(__dirname, 'tools', 'jest', 'slow-first.cjs'),
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.test\\.ts$'],
    },
    {
      ...common,
      displayName: 'real',
      testMatch: ['**/*.int.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    },
  ],
};
