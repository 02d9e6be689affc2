// node assemble.cjs <to> <package>…: for each package a folder below <to> with what runs, and
// nothing else, from a folder where `npm ci --omit=dev -w <package>…` was run for all of them and
// the build was put: the packages installed, but for those that only the others need, and of ours
// those that npm linked for it.
const { execFileSync } = require('node:child_process');
const {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');

const OURS = 'node_modules/@ovn-steward';
const SQLITE = 'node_modules/better-sqlite3-13';

/**
 * Types, source maps, sources and pages: nothing that is loaded. What says under which terms we
 * have a package stays.
 */
const UNNEEDED = /\.(?:d\.[cm]?ts|[cm]?ts|map|md|markdown|flow|tsbuildinfo)$/;
const TERMS = /licen[cs]e|notice|copying|copyright|authors/i;
const runs = (path) => !UNNEEDED.test(path) || TERMS.test(basename(path));

/** The folders of what npm installed for these packages of ours. */
function needed(packages) {
  const of = packages.flatMap((it) => ['-w', it]);
  const list = execFileSync('npm', ['ls', '--all', '--parseable', '--omit=dev', ...of], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return list
    .split('\n')
    .filter((it) => it !== '')
    .map((it) => relative(process.cwd(), it));
}

const copier = (taken) => (from, to) =>
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => runs(path) && taken(path),
  });

function installed(to, copy) {
  mkdirSync(join(to, 'node_modules'), { recursive: true });
  for (const name of readdirSync('node_modules')) {
    if (name === '.bin' || name === '.package-lock.json' || join('node_modules', name) === OURS)
      continue;
    copy(join('node_modules', name), join(to, 'node_modules', name));
  }
}

function ours(to, links, copy) {
  mkdirSync(join(to, OURS), { recursive: true });
  for (const at of links) {
    const link = readlinkSync(at);
    symlinkSync(link, join(to, at));
    const folder = join(OURS, link);
    for (const part of ['package.json', 'dist', 'bin', 'node_modules']) {
      if (existsSync(join(folder, part))) copy(join(folder, part), join(to, folder, part));
    }
  }
}

/** Of the SQLite driver: the one for this machine. Version 12 is for Nodes without the other. */
function oneSqlite(to) {
  const here = join(to, SQLITE);
  if (!existsSync(here)) return;
  rmSync(join(to, 'node_modules/better-sqlite3'), { recursive: true, force: true });
  for (const part of ['deps', 'src']) rmSync(join(here, part), { recursive: true, force: true });
  const mine = `${process.platform}-${process.arch}.node`;
  for (const name of readdirSync(join(here, 'prebuilds')))
    if (name !== mine) rmSync(join(here, 'prebuilds', name));
}

const [to, ...packages] = process.argv.slice(2);
const all = needed(packages);
for (const name of packages) {
  const app = join(to, basename(name));
  const own = new Set(needed([name]));
  const ofOthers = new Set(all.filter((it) => !own.has(it)));
  const copy = copier((path) => !ofOthers.has(path));
  installed(app, copy);
  ours(
    app,
    [...own].filter((it) => dirname(it) === OURS),
    copy,
  );
  oneSqlite(app);
  copy('LICENSE', join(app, 'LICENSE'));
}
