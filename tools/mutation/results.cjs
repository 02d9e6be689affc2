const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { FOLDERS, productFiles } = require('./folders.cjs');
const { merged } = require('./record.cjs');

const RESULTS = join(__dirname, 'results');

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const pathOf = (folder) => join(RESULTS, `${folder.replaceAll('/', '-')}.json`);
const rank = ({ folder }) => (FOLDERS.includes(folder) ? FOLDERS.indexOf(folder) : FOLDERS.length);

/** What was measured of each folder, in the order of the list of folders. */
const results = () =>
  readdirSync(RESULTS)
    .sort()
    .map((it) => read(join(RESULTS, it)))
    .sort((a, b) => rank(a) - rank(b));

const explanations = () => read(join(__dirname, 'explanations.json'));

/**
 * What was planted by hand, by folder. `open` among the verdicts of what nobody notices: a test is
 * missing.
 */
const byHand = () => read(join(__dirname, 'by-hand.json'));

/**
 * Keeps what was measured of some files of a folder, in place of what was measured of them before.
 */
function keep(root, folder, records) {
  const path = pathOf(folder);
  const present = productFiles(root, folder);
  const files = merged(existsSync(path) ? read(path).files : [], records, present);
  const without = present.filter((it) => !files.some(({ file }) => file === it));
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(path, `${JSON.stringify({ folder, without, files }, null, 2)}\n`);
}

module.exports = { byHand, explanations, keep, results };
