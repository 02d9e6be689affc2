// node assemble.cjs <to>: what runs, and nothing else, from a folder where `npm ci --omit=dev -w
// <package>` was run and the build was put: the packages installed, and of ours those that npm
// linked for it.
const {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} = require('node:fs');
const { basename, join } = require('node:path');

const OURS = 'node_modules/@ovn-steward';
const SQLITE = 'node_modules/better-sqlite3-13';

/**
 * Types, source maps, sources and pages: nothing that is loaded. What says under which terms we
 * have a package stays.
 */
const UNNEEDED = /\.(?:d\.[cm]?ts|[cm]?ts|map|md|markdown|flow|tsbuildinfo)$/;
const TERMS = /licen[cs]e|notice|copying|copyright|authors/i;
const runs = (path) => !UNNEEDED.test(path) || TERMS.test(basename(path));

const copy = (from, to) =>
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: runs });

function installed(to) {
  for (const name of readdirSync('node_modules')) {
    if (name === '.bin' || name === '.package-lock.json' || join('node_modules', name) === OURS)
      continue;
    copy(join('node_modules', name), join(to, 'node_modules', name));
  }
}

function ours(to) {
  mkdirSync(join(to, OURS), { recursive: true });
  for (const name of readdirSync(OURS)) {
    const link = readlinkSync(join(OURS, name));
    symlinkSync(link, join(to, OURS, name));
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

const [to] = process.argv.slice(2);
installed(to);
ours(to);
oneSqlite(to);
copy('LICENSE', join(to, 'LICENSE'));
