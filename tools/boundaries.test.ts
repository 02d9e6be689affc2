import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');

interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * For every rule one import that breaks it, from a file of its own. A target that starts with a dot
 * is a file, created too.
 */
const BROKEN: Readonly<Record<string, Import>> = {
  'no-cycles': { from: 'libs/shared/src/egg.ts', to: './hen' },
  resolvable: { from: 'libs/shared/src/lost.ts', to: './nowhere' },
  'declared-dependencies': { from: 'services/collector/src/undeclared.ts', to: 'fast-check' },
  'ovsdb-stands-alone': { from: 'libs/ovsdb/src/curious.ts', to: '@ovn-steward/shared/kinds' },
  'client-stands-alone': {
    from: 'libs/client/src/curious.ts',
    to: '@ovn-steward/shared/kinds',
  },
  'shared-stands-alone': { from: 'libs/shared/src/curious.ts', to: '@ovn-steward/ovsdb' },
  'contracts-know-only-shared': {
    from: 'libs/contracts/src/worldly.ts',
    to: '@ovn-steward/judgement/world/entity',
  },
  'service-knows-only-shared': {
    from: 'libs/service/src/curious.ts',
    to: '@ovn-steward/collector',
  },
  'judgement-reads-nothing': {
    from: 'libs/judgement/src/curious.ts',
    to: '@ovn-steward/ovsdb',
  },
  'guard-and-backup-act-alone': {
    from: 'libs/guard/src/leaning.ts',
    to: '@ovn-steward/executor',
  },
  'systems-judge-nothing': {
    from: 'libs/systems/src/opinion.ts',
    to: '@ovn-steward/judgement/world/entity',
  },
  'shell-stays-outside': {
    from: 'services/executor/src/index.ts',
    to: '@ovn-steward/service/http/nested.module',
  },
  'pino-in-one-logger': { from: 'services/collector/src/chatty.ts', to: 'pino' },
  'prom-client-in-one-meter': { from: 'services/collector/src/counting.ts', to: 'prom-client' },
  'services-are-strangers': {
    from: 'services/collector/src/friendly.ts',
    to: '@ovn-steward/analyzer',
  },
  'services-know-no-app': {
    from: 'services/collector/src/upward.ts',
    to: '../../../apps/steward/src/any',
  },
  'public-face': {
    from: 'apps/steward/src/burglar.ts',
    to: '../../../services/collector/src/inner',
  },
  'no-tests-in-production': {
    from: 'services/collector/src/careless.ts',
    to: './testing/builders',
  },
  'rules-need-only-the-world': {
    from: 'libs/judgement/src/rules/greedy.ts',
    to: '../engine/engine',
  },
  'rules-do-not-know-each-other': { from: 'libs/judgement/src/rules/social.ts', to: './leaked-ip' },
  'world-knows-no-rule': { from: 'libs/judgement/src/world/backward.ts', to: '../rules/leaked-ip' },
  'nest-at-the-edge': { from: 'services/collector/src/nested.ts', to: '@nestjs/common' },
  'kafka-in-one-adapter': { from: 'services/collector/src/loud.ts', to: 'kafkajs' },
  'kubernetes-client-in-one-place': {
    from: 'services/collector/src/direct.ts',
    to: '@kubernetes/client-node',
  },
  'ovsdb-at-the-edge': { from: 'services/collector/src/low.ts', to: '@ovn-steward/ovsdb' },
  'sqlite-in-stores': {
    from: 'services/analyzer/src/engine/stateful.ts',
    to: '@ovn-steward/shared/log/sqlite-database',
  },
  'sqlite-driver-in-one-place': { from: 'libs/shared/src/log/sqlite-own.ts', to: 'better-sqlite3' },
};

/** What lies beside those and breaks nothing. */
const LAWFUL: readonly Import[] = [
  { from: 'libs/shared/src/log/kafka-log.ts', to: 'kafkajs' },
  { from: 'libs/shared/src/log/sqlite-log.ts', to: './sqlite-database' },
  { from: 'libs/shared/src/log/sqlite-database.ts', to: 'better-sqlite3' },
  { from: 'libs/shared/src/log/sqlite-log.test.ts', to: './log.contract' },
  { from: 'libs/ovsdb/src/replica/replica.test.ts', to: 'fast-check' },
  { from: 'services/collector/src/service/collector.module.ts', to: '@nestjs/common' },
  { from: 'libs/service/src/log/logger.ts', to: 'pino' },
  { from: 'libs/service/src/meter/meter.ts', to: 'prom-client' },
  { from: 'libs/contracts/src/lawful.ts', to: '@ovn-steward/shared/kinds' },
  { from: 'libs/service/src/lawful.ts', to: '@ovn-steward/shared/kinds' },
  { from: 'services/analyzer/src/index.ts', to: '@ovn-steward/service/meter/definition' },
  { from: 'services/collector/src/sources/ovn/live.ts', to: '@ovn-steward/ovsdb' },
  { from: 'libs/systems/src/kubernetes/access.ts', to: '@kubernetes/client-node' },
  { from: 'libs/systems/src/ovn/rows.ts', to: '@ovn-steward/ovsdb' },
  { from: 'services/executor/src/action-kit/live.ts', to: '@ovn-steward/ovsdb' },
  { from: 'services/executor/src/judging.ts', to: '@ovn-steward/judgement/world/entity' },
  {
    from: 'services/analyzer/src/store/checkpoint.ts',
    to: '@ovn-steward/shared/log/sqlite-database',
  },
  { from: 'libs/judgement/src/rules/modest.ts', to: '../world/entity' },
  { from: 'libs/judgement/src/rules/plain.ts', to: '../rule-kit/rule' },
  { from: 'libs/judgement/src/rules/owning.ts', to: '../ownership/ownership' },
  { from: 'libs/judgement/src/rules/counting.ts', to: '../tallies/held' },
  { from: 'libs/judgement/src/rules/related.ts', to: '../relations/held' },
  { from: 'libs/judgement/src/rules/wordy.ts', to: '@ovn-steward/contracts/findings/finding' },
  { from: 'apps/steward/src/composing.ts', to: '@ovn-steward/analyzer' },
  { from: 'apps/steward/src/reading.ts', to: '@ovn-steward/ovsdb' },
];

const PACKAGES: Readonly<
  Record<string, { readonly exports: string; readonly needs: readonly string[] }>
> = {
  'libs/ovsdb': { exports: '.', needs: [] },
  'libs/shared': { exports: './*', needs: ['better-sqlite3', 'kafkajs'] },
  'libs/service': {
    exports: './*',
    needs: [
      '@nestjs/common',
      'pino',
      'prom-client',
      '@ovn-steward/shared',
      '@ovn-steward/collector',
    ],
  },
  'services/collector': {
    exports: '.',
    needs: [
      'pino',
      'prom-client',
      '@nestjs/common',
      'kafkajs',
      '@kubernetes/client-node',
      '@ovn-steward/ovsdb',
      '@ovn-steward/shared',
      '@ovn-steward/analyzer',
    ],
  },
  'libs/contracts': {
    exports: './*',
    needs: ['@ovn-steward/shared', '@ovn-steward/judgement'],
  },
  'libs/judgement': {
    exports: './*',
    needs: ['@ovn-steward/shared', '@ovn-steward/contracts', '@ovn-steward/ovsdb'],
  },
  'libs/guard': { exports: './*', needs: ['@ovn-steward/executor'] },
  'libs/systems': {
    exports: './*',
    needs: [
      '@kubernetes/client-node',
      '@ovn-steward/ovsdb',
      '@ovn-steward/shared',
      '@ovn-steward/judgement',
    ],
  },
  'services/analyzer': { exports: '.', needs: ['@ovn-steward/shared'] },
  'services/executor': {
    exports: '.',
    needs: ['@ovn-steward/judgement', '@ovn-steward/ovsdb', '@ovn-steward/service'],
  },
  'services/notifier': { exports: '.', needs: ['@ovn-steward/service'] },
  'apps/steward': { exports: '.', needs: ['@ovn-steward/analyzer', '@ovn-steward/ovsdb'] },
};
const FOREIGN = [
  'fast-check',
  'pino',
  'prom-client',
  'kafkajs',
  'better-sqlite3',
  '@nestjs/common',
  '@kubernetes/client-node',
];

const object = (names: readonly string[]): object =>
  Object.fromEntries(names.map((it) => [it, '0.1.0']));
const json = JSON.stringify;

/** A small workspace of the real one's shape, which holds every broken and every lawful import. */
function plant(folder: string): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'a' });
  };
  write(
    'package.json',
    json({ name: 'planted', private: true, devDependencies: object(['fast-check']) }),
  );
  write(
    'tsconfig.json',
    json({
      compilerOptions: {
        module: 'nodenext',
        moduleResolution: 'nodenext',
        customConditions: ['@ovn-steward/source'],
      },
    }),
  );
  for (const [path, { exports, needs }] of Object.entries(PACKAGES)) {
    const name = `@ovn-steward/${path.split('/')[1]}`;
    const source = exports === '.' ? './src/index.ts' : './src/*.ts';
    write(
      `${path}/package.json`,
      json({
        name,
        version: '0.1.0',
        exports: { [exports]: { '@ovn-steward/source': source } },
        dependencies: object(needs),
      }),
    );
    if (exports === '.') write(`${path}/src/index.ts`, 'export const face = 1;\n');
    mkdirSync(join(folder, 'node_modules/@ovn-steward'), { recursive: true });
    symlinkSync(join('../..', path), join(folder, 'node_modules', name));
  }
  for (const name of FOREIGN) {
    write(`node_modules/${name}/package.json`, json({ name, version: '0.1.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, 'module.exports = {};\n');
  }
  write('libs/shared/src/hen.ts', "import type {} from './egg';\n");
  write('libs/service/src/http/nested.module.ts', "import '@nestjs/common';\n");
  write('libs/service/src/meter/definition.ts', 'export const word = 1;\n');
  for (const { from, to } of [...Object.values(BROKEN), ...LAWFUL]) {
    write(from, `import '${to}';\n`);
    const [, part, file] = /^@ovn-steward\/(shared|contracts)\/(.+)$/.exec(to) ?? [];
    if (part !== undefined) write(`libs/${part}/src/${file}.ts`, 'export const word = 1;\n');
    if (to.startsWith('.') && to !== './nowhere' && to !== './hen')
      write(join(dirname(from), `${to}.ts`), 'export const there = 1;\n');
  }
}

interface Cruised {
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  };
}

function cruise(folder: string): Cruised {
  const cli = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cli, '--config', CONFIG, '--output-type', 'json', 'libs', 'services', 'apps'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (!stdout.startsWith('{')) throw new Error(stderr);
  return JSON.parse(stdout) as Cruised;
}

describe('the boundaries', () => {
  let folder: string;
  let found: Cruised['summary'];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-steward-boundaries-'));
    plant(folder);
    found = cruise(folder).summary;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are each broken once below', () => {
    expect(found.ruleSetUsed.forbidden.map((it) => it.name).sort()).toEqual(
      Object.keys(BROKEN).sort(),
    );
  });

  it.each(Object.entries(BROKEN))('%s is caught when broken', (rule, { from }) => {
    expect(found.violations.map((it) => `${it.rule.name} ${it.from}`)).toContain(`${rule} ${from}`);
  });

  it('hold nothing against what is allowed', () => {
    const lawful = new Set(LAWFUL.map((it) => it.from));
    expect(found.violations.filter((it) => lawful.has(it.from))).toEqual([]);
  });
});
