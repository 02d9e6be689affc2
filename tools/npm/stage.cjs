// node tools/npm/stage.cjs <folder>: the npm package of the command line, as it is published: the
// bundle of the build, its program and licenses, and a package.json that needs the native driver of
// SQLite alone. `npm publish <folder> --provenance` publishes it (.github/workflows/release.yml).
const { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('../lib/root.cjs');

const KUBE_CONFIG = { of: '@ovn-steward/systems', folder: 'libs/systems' };
const APP = join(ROOT, 'apps', 'steward');
/** What `steward stream replay` writes, for tests of consumers. */
const STREAM = 'examples/stream/findings.ndjson';

const read = (folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));

/** Set in the workflow that publishes. */
const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY } = process.env;

/** The package.json of the package. */
function manifest() {
  const { name, version, license, engines, bin, description } = read('apps/steward');
  const log = read('libs/shared');
  return {
    name,
    version,
    description: `${description} Audits a Kube-OVN network: leaked addresses, dead ports, drift, stuck deletions.`,
    keywords: ['kube-ovn', 'ovn', 'kubernetes', 'network', 'audit'],
    license,
    // npm compares it with the repository that the provenance names.
    ...(GITHUB_REPOSITORY !== undefined && {
      repository: {
        type: 'git',
        url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`,
        directory: 'apps/steward',
      },
    }),
    engines,
    bin,
    exports: { './package.json': './package.json' },
    files: ['bin', 'dist', 'examples'],
    publishConfig: { access: 'public', provenance: true },
    // All other packages are in the bundle, with their terms in dist/bundle/licenses.txt.
    dependencies: {
      [KUBE_CONFIG.of]: version,
      'better-sqlite3': log.dependencies['better-sqlite3'],
    },
    bundleDependencies: [KUBE_CONFIG.of],
    optionalDependencies: log.optionalDependencies,
  };
}

/**
 * What reads a kubeconfig: one file that the command line loads by the name of its package, and
 * only when a cluster is needed.
 */
function stageKubeConfig(folder, version) {
  const from = join(ROOT, KUBE_CONFIG.folder, 'dist', 'kubernetes');
  const to = join(folder, 'node_modules', KUBE_CONFIG.of);
  mkdirSync(to, { recursive: true });
  for (const name of ['kube-config.js', 'kube-config.licenses.txt'])
    cpSync(join(from, name), join(to, name));
  const exports = { './kubernetes/kube-config': './kube-config.js' };
  const made = { name: KUBE_CONFIG.of, version, license: 'Apache-2.0', exports };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(made, null, 2)}\n`);
}

function stage(folder) {
  const bundle = join(APP, 'dist', 'bundle');
  if (!existsSync(join(bundle, 'main.mjs')))
    throw new Error(`${bundle} is not there: run npm run build`);
  mkdirSync(folder, { recursive: true });
  cpSync(bundle, join(folder, 'dist', 'bundle'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  });
  cpSync(join(APP, 'bin'), join(folder, 'bin'), { recursive: true });
  for (const name of ['LICENSE', 'README.md', STREAM]) cpSync(join(ROOT, name), join(folder, name));
  const made = manifest();
  stageKubeConfig(folder, made.version);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(made, null, 2)}\n`);
}

module.exports = { stage };
if (require.main === module) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('node tools/npm/stage.cjs <folder>');
  stage(folder);
}
