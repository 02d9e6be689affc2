// Who may import whom. Each rule is broken once on purpose in tools/boundaries.test.ts, which holds
// that it is caught.

/** Code that only tests run. */
const TEST_ONLY = '(/testing/|^libs/[^/]+/test/|\\.test\\.ts$|\\.contract\\.ts$|^tools/|^e2e/)';
const PRODUCTION = '^(libs|services|apps|benchmarks)/';
/** What the build runs, in the package whose build it is. */
const BUILD = '^(libs/systems/bundle-kube-config|apps/steward/bundle)\\.cjs$';
/** Types of a client that who uses the package may bring. */
const OPTIONAL_PEER = '^libs/client/src/follow-findings\\.ts$';
const JUDGEMENT = '^libs/judgement/src/';
/** Where OVSDB is spoken: what reads, and what acts. */
const SPEAKS_OVSDB = [
  '^libs/systems/src/((ovn|northbound)/|effect\\.ts$)',
  '^libs/backup/src/',
  '^services/collector/src/sources/',
  '^services/executor/src/(action-kit|actions|prove|undo)/',
];

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'Two files that need each other are one thing, or three. Types count: who reads one reads the other.',
      {},
      { circular: true },
    ),
    rule(
      'resolvable',
      'An import leads somewhere; what tools/testbed/grafana is made of is installed apart.',
      { pathNot: '^tools/testbed/grafana/' },
      { couldNotResolve: true },
    ),
    rule(
      'declared-dependencies',
      'A package imports what its own package.json declares; tests may use the root’s development dependencies, and a build its package’s.',
      { path: PRODUCTION, pathNot: [TEST_ONLY, BUILD, OPTIONAL_PEER] },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    ),
    rule(
      'ovsdb-stands-alone',
      'libs/ovsdb knows nothing of us: it could be published.',
      { path: '^libs/ovsdb/src/', pathNot: TEST_ONLY },
      { path: '^(libs|services|apps|tools|benchmarks)/', pathNot: '^libs/ovsdb/' },
    ),
    rule(
      'client-stands-alone',
      'libs/client is published for those who know nothing of us.',
      { path: '^libs/client/src/', pathNot: TEST_ONLY },
      { path: '^(libs|services|apps|tools|benchmarks)/', pathNot: '^libs/client/' },
    ),
    rule(
      'shared-stands-alone',
      'libs/shared is the words of all; it needs none of theirs.',
      { path: '^libs/shared/src/', pathNot: TEST_ONLY },
      { path: '^(libs|services|apps|tools|benchmarks)/', pathNot: '^libs/shared/' },
    ),
    rule(
      'contracts-know-only-shared',
      'libs/contracts is what others read of us; it needs nothing of what writes it.',
      { path: '^libs/contracts/src/', pathNot: TEST_ONLY },
      { path: '^(libs|services|apps|tools|benchmarks)/', pathNot: '^libs/(contracts|shared)/' },
    ),
    rule(
      'service-knows-only-shared',
      'libs/service is the shell of any service; it knows what they share, not what they do.',
      { path: '^libs/service/src/', pathNot: TEST_ONLY },
      { path: '^(libs|services|apps|tools|benchmarks)/', pathNot: '^libs/(service|shared)/' },
    ),
    rule(
      'judgement-reads-nothing',
      'What judges gets the world as an argument; it reads nothing by itself.',
      { path: JUDGEMENT, pathNot: TEST_ONLY },
      {
        path: '^(libs|services|apps|tools|benchmarks)/',
        pathNot: '^libs/(judgement|contracts|shared)/',
      },
    ),
    rule(
      'systems-judge-nothing',
      'How the two systems are reached knows nothing of what is found there.',
      { path: '^libs/systems/src/', pathNot: TEST_ONLY },
      {
        path: '^(libs|services|apps|tools|benchmarks)/',
        pathNot: '^libs/(systems|ovsdb|contracts|shared)/',
      },
    ),
    rule(
      'guard-and-backup-act-alone',
      'What prevents failures and what copies a database need no executor; they run alone.',
      { path: '^libs/(guard|backup)/src/', pathNot: TEST_ONLY },
      {
        path: '^(libs|services|apps|tools|benchmarks)/',
        pathNot: '^libs/(guard|backup|judgement|systems|ovsdb|contracts|shared)/',
      },
    ),
    rule(
      'services-are-strangers',
      'Services meet in the log, never in an import.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    rule(
      'services-know-no-app',
      'Apps compose services, not the other way round.',
      { path: '^(libs|services)/', pathNot: TEST_ONLY },
      { path: '^(apps|benchmarks)/' },
    ),
    rule(
      'public-face',
      'From outside, a service is its src/index.ts, and src/http.ts for who serves its controllers; libs/ovsdb and libs/client are their src/index.ts.',
      { path: '^(libs|services|apps|tools|benchmarks|e2e)/([^/]+)' },
      {
        path: '^(services/[^/]+|libs/(ovsdb|client))/',
        pathNot: [
          '^services/[^/]+/src/(index|http)\\.ts$',
          '^libs/ovsdb/src/(index\\.ts$|testing/)',
          '^libs/client/src/index\\.ts$',
          '^$1/$2/',
        ],
      },
    ),
    rule(
      'no-tests-in-production',
      'What ships needs nothing that only tests run.',
      { path: '^(libs|services|apps)/', pathNot: [TEST_ONLY, BUILD] },
      { path: TEST_ONLY },
    ),
    rule(
      'rules-need-only-the-world',
      'A rule sees its kit, the world, what is known of Kube-OVN, relations, tallies, what is ready, the one question of ownership, the finding of libs/contracts, and the words of libs/shared on addresses, the order of values, the default VPC and the name of the controller.',
      { path: `${JUDGEMENT}rules/`, pathNot: [TEST_ONLY, 'rules/registry\\.ts$'] },
      {
        pathNot: [
          `${JUDGEMENT}((rule-kit|world|kube-ovn|relations|tallies|readiness)/|ownership/ownership\\.ts$)`,
          '^libs/(contracts/src/findings/finding|shared/src/(address|compare|ip-range-set|default-vpc|kube-ovn-controller))\\.ts$',
        ],
      },
    ),
    rule(
      'rules-do-not-know-each-other',
      'Adding a rule touches no other.',
      { path: `${JUDGEMENT}rules/([^/]+)\\.ts$`, pathNot: [TEST_ONLY, 'rules/registry\\.ts$'] },
      { path: `${JUDGEMENT}rules/` },
    ),
    rule(
      'world-knows-no-rule',
      'Rules read the world, and are made of a kit; neither knows a rule.',
      {
        path: `${JUDGEMENT}(world|kube-ovn|relations|tallies|ownership|pairing|readiness|rule-kit)/`,
        pathNot: TEST_ONLY,
      },
      { path: `${JUDGEMENT}(rules|engine|store)/` },
    ),
    rule(
      'shell-stays-outside',
      'Who imports a service or its words gets no shell with it: the command line starts without Nest, pino and prom-client.',
      { path: '^services/[^/]+/src/index\\.ts$' },
      { path: '(^|node_modules/)(@nestjs/|pino|prom-client)', reachable: true },
    ),
    rule(
      'nest-at-the-edge',
      'Nest is composition, HTTP and lifecycle: libs/service, and modules, controllers and services.',
      { pathNot: [TEST_ONLY, '^libs/service/src/', '\\.(module|controller|service)\\.ts$'] },
      { path: '(^|node_modules/)@nestjs/' },
    ),
    rule(
      'pino-in-one-logger',
      'Everyone else logs by the words of libs/service/src/log/logger.ts.',
      { path: PRODUCTION, pathNot: [TEST_ONLY, '^libs/service/src/log/logger\\.ts$'] },
      { path: '(^|node_modules/)pino' },
    ),
    rule(
      'prom-client-in-one-meter',
      'Everyone else counts by definitions.',
      { path: PRODUCTION, pathNot: [TEST_ONLY, '^libs/service/src/meter/meter\\.ts$'] },
      { path: '(^|node_modules/)prom-client' },
    ),
    rule(
      'kafka-in-one-adapter',
      'Everyone else sees the log.',
      {
        path: '^(libs|services|apps)/',
        pathNot: [TEST_ONLY, '^libs/shared/src/log/kafka-[^/]+\\.ts$', OPTIONAL_PEER],
      },
      { path: '(^|node_modules/)kafkajs' },
    ),
    rule(
      'kubernetes-client-in-one-place',
      'It finds the cluster and our credentials; everyone else sends requests.',
      { path: PRODUCTION, pathNot: [TEST_ONLY, '^libs/systems/src/kubernetes/'] },
      { path: '(^|node_modules/)@kubernetes/client-node' },
    ),
    rule(
      'ovsdb-at-the-edge',
      'Of the services, only what reads a database and what acts on one speak OVSDB.',
      {
        path: '^(services|libs/(systems|judgement|service|guard|backup))/',
        pathNot: [TEST_ONLY, ...SPEAKS_OVSDB],
      },
      { path: '^libs/ovsdb/' },
    ),
    rule(
      'sqlite-in-stores',
      'Only what keeps state speaks SQL.',
      {
        path: PRODUCTION,
        pathNot: [
          TEST_ONLY,
          '^libs/shared/src/log/(sqlite-[^/]+|file-lock|state-file|followed-store)\\.ts$',
          '^services/[^/]+/src/((store|ledger)/|mirror/mirror-sqlite\\.ts$)',
          '^apps/steward/src/state/(export-state|import-state|state-formats)\\.ts$',
        ],
      },
      { path: '^libs/shared/src/log/sqlite-database\\.ts$' },
    ),
    rule(
      'sqlite-driver-in-one-place',
      'Which driver fits the Node it runs on is decided once.',
      { path: PRODUCTION, pathNot: '^libs/shared/src/log/sqlite-database\\.ts$' },
      { path: '(^|node_modules/)better-sqlite3' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|^examples/|^contracts/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@ovn-steward/source', 'import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.cjs', '.js', '.json'],
    },
  },
};
