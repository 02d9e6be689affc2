#!/usr/bin/env node
// `npm run under-node -- 24 [command…]`: runs a command, by default `npm test`, under another major
// version of Node, which comes from the registry. It works on a copy of the files that Git knows or
// would add, installed from nothing by that Node: native packages differ by version, and this
// checkout keeps its own.
const { spawnSync, execFileSync } = require('node:child_process');
const { cpSync, lstatSync, mkdirSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { delimiter, dirname, join } = require('node:path');
const { majorOf, nodePackage } = require('./lib/node-package.cjs');
const { ROOT } = require('./lib/root.cjs');
const { run, say } = require('./lib/run.cjs');

/** Fetches Node into a folder; gives the folder of its binary. */
function fetchNode(folder, major) {
  const name = nodePackage(process.platform, process.arch);
  const args = ['install', '--no-save', '--prefix', folder, `${name}@${major}`];
  if (run('npm', args) !== 0) throw new Error(`Node ${major} could not be fetched (${name})`);
  return join(folder, 'node_modules', name, 'bin');
}

/** The files of this checkout, changed and new ones included; not what .gitignore names. */
function filesOfCheckout() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return listed.split('\0').filter((file) => file && isThere(join(ROOT, file)));
}

function isThere(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function copyCheckout(to) {
  for (const file of filesOfCheckout()) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(ROOT, file), join(to, file), { verbatimSymlinks: true });
  }
  // Some checks ask Git which files there are.
  execFileSync('git', ['init', '--quiet'], { cwd: to });
  execFileSync('git', ['add', '--all'], { cwd: to });
}

function underNode(major, command) {
  const work = mkdtempSync(join(tmpdir(), `ovn-steward-node-${major}-`));
  try {
    const bin = fetchNode(join(work, 'node'), major);
    const tree = join(work, 'tree');
    copyCheckout(tree);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const inTree = ([name, ...args]) =>
      spawnSync(name, args, { cwd: tree, env, stdio: 'inherit' }).status ?? 1;
    say(`Node ${execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim()}`);
    return inTree(['node', 'tools/install.cjs']) || inTree(command);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function main([version, ...command]) {
  try {
    return underNode(majorOf(version), command.length > 0 ? command : ['npm', 'test']);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
