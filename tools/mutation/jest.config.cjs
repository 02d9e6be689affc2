// What Stryker runs jest with: the project `unit`, without the other, with jest's own runner, in
// which Stryker learns which tests run a line. tools/mutation/stryker.cjs says which folder's tests.
const { projects } = require('../../jest.config.cjs');
const jsc = require('../lib/swc-jsc.cjs');

const WITHOUT = ['runner', 'setupFiles', 'setupFilesAfterEnv'];
const unit = Object.fromEntries(
  Object.entries(projects.find((it) => it.displayName === 'unit')).filter(
    ([key]) => !WITHOUT.includes(key),
  ),
);

/**
 * Passed to every module as arguments. That runner runs modules in a vm context, where each access
 * to a global asks an interceptor: loops that call Math or Map took three times as long. Nothing
 * that fake timers or a test replaces.
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

module.exports = {
  ...unit,
  testTimeout: 30_000,
  transform: {
    '^.+\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: { ...jsc, keepClassNames: true },
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
  sandboxInjectedGlobals: INJECTED,
};
