#!/usr/bin/env node
// Fails where a file that Git knows or would add names something of the machine it was written on: a
// home or checkout folder, a package registry or proxy, or uses a word that was cleaned out. What
// this machine is called is asked of it, not written here. FORBIDDEN_WORDS may hold a regular
// expression of more.
const { execFileSync, spawnSync } = require('node:child_process');
const { lstatSync, readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, join } = require('node:path');
const { ROOT } = require('./lib/root.cjs');

const PUBLIC_HOSTS = /(^|\.)(npmjs\.org|golang\.org|k8s\.io|debian\.org|github\.com)$/;
const SOMEBODYS_FOLDER = /(?<![\w.}-])\/(?:work|home\/(?!user\b|node\b|me\b)\w+|Users\/\w+)\//;
/**
 * Words of our own for what the field has a word for: "by default", "is being deleted", "what to
 * do". Written so that they do not match themselves.
 */
const DIALECT = /unless[ ]told\b|\btold[ ]to[ ]go\b|[Tt]he[ ]way[ ]out, in this order/;
/**
 * The same in pages, where readers stop at them: write "reported", "skipped", "deferred",
 * "repaired", "forever", "limits".
 */
const AVOIDED =
  /\b(?:is|are|be|been|was|were) told\b(?! apart)|\btells? of\b|\bit is said\b|\bpass(?:es|ed)? over\b|\bput off\b|\bfor ever\b|\bbrakes\b|\bway out\b|\bmend(?:s|ed|ing)?\b/i;
const PAGES = /^(?:[A-Z]+|docs\/[\w-]+)\.md$/;
/** What reports the past, or holds text of others. */
const NOT_OURS_NOW =
  /^(?:CHANGELOG\.md|docs\/mutation\.md|docs\/domain\/|tools\/mutation\/|examples\/)/;
const LOCKED_ADDRESS = /"resolved": "\w+:/;
const BIGGEST = 8 * 1024 * 1024;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function registryHosts() {
  const npm =
    spawnSync('npm', ['config', 'get', 'registry'], { cwd: ROOT, encoding: 'utf8' }).stdout ?? '';
  return [
    npm,
    process.env.GOPROXY,
    process.env.HTTP_PROXY,
    process.env.HTTPS_PROXY,
    process.env.http_proxy,
    process.env.https_proxy,
  ]
    .flatMap((it) => (it ?? '').trim().split(/[,|]/))
    .filter((it) => URL.canParse(it))
    .map((it) => new URL(it).hostname)
    .filter(
      (it) => it !== '' && it !== 'localhost' && !/^[\d.]+$/.test(it) && !PUBLIC_HOSTS.test(it),
    );
}

/** Each thing that may not appear: what it is, and how it looks. */
function forbidden() {
  const folders = [homedir(), ROOT, dirname(ROOT)].filter((it) => !['/', '/tmp'].includes(it));
  return [
    ...folders.map((folder) => ({
      what: 'a folder of this machine',
      pattern: new RegExp(`(?<![\\w.}-])${escaped(folder)}/`),
    })),
    ...registryHosts().map((host) => ({
      what: 'a registry or proxy of this machine',
      pattern: new RegExp(escaped(host)),
    })),
    { what: 'a folder of somebody’s machine', pattern: SOMEBODYS_FOLDER },
    {
      what: 'a word of our own; see DIALECT in tools/check-words.cjs',
      pattern: DIALECT,
      except: NOT_OURS_NOW,
    },
    {
      what: 'a word that pages avoid; see AVOIDED in tools/check-words.cjs',
      pattern: AVOIDED,
      only: PAGES,
      except: /^docs\/failures\.md$|^CHANGELOG\.md$|^docs\/mutation\.md$/,
    },
    ...(process.env.FORBIDDEN_WORDS
      ? [{ what: 'a forbidden word', pattern: new RegExp(process.env.FORBIDDEN_WORDS, 'i') }]
      : []),
  ];
}

function complaints(file, rules) {
  const { size } = lstatSync(join(ROOT, file));
  if (size > BIGGEST) return [];
  const text = readFileSync(join(ROOT, file), 'utf8');
  const own =
    file === 'package-lock.json' && LOCKED_ADDRESS.test(text)
      ? [`${file}: names where packages came from; keep omit-lockfile-registry-resolved in .npmrc`]
      : [];
  return [
    ...own,
    ...rules.flatMap(({ what, pattern, only, except }) => {
      const free = except?.test(file) === true || only?.test(file) === false;
      const at = free ? null : pattern.exec(text);
      return at ? [`${file}:${text.slice(0, at.index).split('\n').length}: ${what}: ${at[0]}`] : [];
    }),
  ];
}

// New files too, so that the check says before a commit what it would say after.
const LISTED = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', LISTED, { cwd: ROOT, encoding: 'utf8', maxBuffer: BIGGEST })
  .split('\0')
  .filter((it) => it !== '');
const rules = forbidden();
const found = files
  .filter((it) => lstatSync(join(ROOT, it), { throwIfNoEntry: false })?.isFile())
  .flatMap((it) => complaints(it, rules));
process.stdout.write(
  found.length === 0
    ? `Nothing of this machine in ${files.length} files.\n`
    : `${found.join('\n')}\n`,
);
process.exitCode = found.length === 0 ? 0 : 1;
