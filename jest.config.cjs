const { existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Passed to every module as arguments. Jest runs modules in a vm context, where each access to a
 * global asks an interceptor: loops that call Math or Map took three times as long. Nothing that
 * fake timers or a test replaces.
 */
const INJECTED = [
  'Array',
  'BigInt',
  'Boolean',
  'Error',
  'Infinity',
  'Int32Array',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'TypeError',
  'Uint8Array',
  'WeakMap',
  'WeakSet',
];

const common = {
  rootDir: __dirname,
  transform: {
    '^.+\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        // The 900 generated modules of client-node, of which KubeConfig needs none: a second of
        // each test file that reads a kubeconfig.
        module: { type: 'commonjs', lazy: ['./gen/index.js'] },
      },
    ],
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(@kubernetes/client-node|openid-client|oauth4webapi|jose|jsonpath-plus|cidr-tools|ip-bigint)/)',
  ],
  testEnvironmentOptions: {
    customExportConditions: ['@ovn-steward/source', 'node', 'require', 'default'],
  },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  sandboxInjectedGlobals: INJECTED,
  roots: ['libs', 'services', 'apps', 'tools', 'benchmarks', 'e2e']
    .filter((d) => existsSync(join(__dirname, d)))
    .map((d) => `<rootDir>/${d}`),
};

module.exports = {
  // Generous: a busy machine is no failure, and no test asserts a time.
  testTimeout: 120_000,
  // Each file leaves some megabytes in its worker: 380 files in one took its heap to Node's limit
  // of 4 GB, after minutes of nothing but collecting garbage. A worker above this is replaced
  // between two files.
  workerIdleMemoryLimit: '1500MB',
  testSequencer: join(__dirname, 'tools', 'slow-first.cjs'),
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
