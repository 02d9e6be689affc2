import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import shortIt from './tools/lint/short-it.cjs';

const TESTS = [
  '**/*.test.ts',
  '**/*.contract.ts',
  '**/testing/**/*.ts',
  'libs/*/test/**/*.ts',
  'tools/**/*.ts',
  'e2e/**/*.ts',
];
const COMMAND_LINE = ['apps/*/src/**/*.ts', 'tools/**/*.ts', 'benchmarks/**/*.ts', 'e2e/**/*.ts'];
const RULES = [
  'libs/judgement/src/rules/*.ts',
  'services/executor/src/actions/*.ts',
  'libs/guard/src/policies/*.ts',
];

/** Names that say nothing about what a thing does. */
const EMPTY_NAME = '/(Manager|Helpers?|Utils?|Impl)$/';
const EMPTY_TYPE_NAME = '/(Manager|Helpers?|Utils?|Impl|Base)$/';
const named = (name) => (kind) => ({
  selector: `${kind}[id.name=${name}]`,
  message: 'Name it after what it does or is.',
});
const NAMES = [
  ...['FunctionDeclaration', 'VariableDeclarator'].map(named(EMPTY_NAME)),
  ...['ClassDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'].map(
    named(EMPTY_TYPE_NAME),
  ),
];
/** Within AbortSignal.any, Node 20 forgets such a signal. */
const FORGOTTEN_TIMEOUT = {
  selector: "CallExpression[callee.object.name='AbortSignal'][callee.property.name='timeout']",
  message: 'Use timeLimit (libs/shared/src/time-limit.ts).',
};
/** A property or a constant to a line: packed, they cannot be searched, blamed or compared. */
const PACKED = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write its properties into the object.',
  },
  {
    selector:
      "VariableDeclarator[id.type='ArrayPattern'][init.type='ArrayExpression']:not([init.elements.0.type='SpreadElement'])",
    message: 'Declare each by itself.',
  },
  {
    selector:
      "AssignmentExpression[left.type='ArrayPattern'][right.type='ArrayExpression']:not([right.elements.0.type='SpreadElement'])",
    message: 'Assign each by itself.',
  },
];
/** Written out, some say 1 of two equal values and some 0. */
const OWN_COMPARISON = {
  selector:
    "ConditionalExpression[test.operator='<'][test.right.type!='Literal'][consequent.operator='-'][consequent.argument.value=1]",
  message: 'Use compareValues or ascendingBy (libs/shared/src/compare.ts).',
};
const DEFAULT_EXPORT = { selector: 'ExportDefaultDeclaration', message: 'Export it by its name.' };

export default tseslint.config(
  // What is generated is linted where it is written: the one file of steward wait is made of
  // apps/steward/src/wait and what that imports.
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      '.nx/',
      'coverage/',
      'contracts/',
      'deploy/wait/steward-wait.cjs',
      'examples/',
      '.steward/',
      '.stryker-tmp/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        require: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        setInterval: 'readonly',
      },
    },
  },
  {
    files: ['tools/jest/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        URL: 'readonly',
      },
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // `new Map()` and a narrowed `unknown[]` are `any` inside and harmless; calls and members of
      // `any` are not.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-base-to-string': 'off', // values of foreign documents are reported as they come
      '@typescript-eslint/no-unnecessary-type-assertion': 'off', // calls `as` of a Map's foreign key unnecessary where tsc wants it
      '@typescript-eslint/require-await': 'off', // a port's function may have nothing to wait for in one adapter
      '@typescript-eslint/unbound-method': 'off', // ports are records of functions; none of them reads `this`
      complexity: ['error', { max: 26, variant: 'modified' }], // `?.`, `??` and `||` count too
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400 }], // formatted; the aim is a median under 80, hardly any over 300
      'max-lines-per-function': ['error', { max: 130, skipBlankLines: true, skipComments: true }], // a factory holds its closures
      'no-console': 'error',
      'no-control-regex': 'off', // control characters are what we look for
      'no-sequences': ['error', { allowInParentheses: false }],
      'no-restricted-syntax': [
        'error',
        ...NAMES,
        ...PACKED,
        OWN_COMPARISON,
        FORGOTTEN_TIMEOUT,
        DEFAULT_EXPORT,
      ],
      'prefer-const': ['error', { ignoreReadBeforeAssign: true }], // a closure may read it before it is there
    },
  },
  {
    files: ['**/*.ts'],
    plugins: { ours: { rules: { 'short-it': shortIt } } },
    rules: { 'ours/short-it': 'error' },
  },
  {
    files: RULES,
    rules: {
      'no-restricted-syntax': ['error', ...NAMES, ...PACKED, OWN_COMPARISON, FORGOTTEN_TIMEOUT],
    },
  },
  { files: COMMAND_LINE, rules: { 'no-console': 'off' } },
  { files: ['benchmarks/src/world/*.ts'], rules: { 'max-lines': ['error', { max: 650 }] } }, // they hold a whole cluster
  {
    files: TESTS,
    rules: {
      'max-lines': ['error', { max: 650 }],
      '@typescript-eslint/no-unsafe-call': 'off', // tests read JSON they wrote themselves
      '@typescript-eslint/no-unsafe-member-access': 'off',
      'max-lines-per-function': 'off',
      'no-loss-of-precision': 'off',
      'no-restricted-syntax': ['error', ...NAMES, ...PACKED, OWN_COMPARISON, DEFAULT_EXPORT],
    },
  },
);
