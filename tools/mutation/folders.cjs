const { readdirSync, statSync } = require('node:fs');
const { join, normalize } = require('node:path');

const executor = (name) => `services/executor/src/${name}`;
const judgement = (name) => `libs/judgement/src/${name}`;

/** The folders that decide what is found and delete it, those whose faults cost most first. */
const FOLDERS = [
  ...['prove', 'gate', 'control', 'identity', 'undo', 'action-kit', 'work'].map(executor),
  ...['ledger', 'actions', 'plan'].map(executor),
  ...['libs/systems/src/northbound', 'libs/systems/src/kubernetes', 'libs/guard/src'],
  ...['world', 'kube-ovn', 'ownership', 'rule-kit', 'engine', 'rules'].map(judgement),
  'libs/shared/src/signing',
];

const IS_PRODUCT = /^(?!.*(\.test|\.contract)\.ts$).*\.ts$/;

/** The product files of a folder, by their path from `root`, sorted. */
const productFiles = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((it) => `${folder}/${it}`)
    .filter((it) => IS_PRODUCT.test(it) && !it.includes('/testing/'))
    .sort();

/**
 * What to measure: for each folder the files, out of arguments that name folders or files. A file
 * is measured with the tests of the listed folder it lies in.
 * @throws Error that names each argument which matches no product file.
 */
function chosen(root, args, folders = FOLDERS) {
  const byFolder = new Map();
  const wrong = [];
  for (const arg of args.length > 0 ? args : folders) {
    const path = normalize(arg).replace(/\/$/, '');
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    const files = stat?.isDirectory() ? productFiles(root, path) : [];
    if (stat?.isFile() && IS_PRODUCT.test(path)) files.push(path);
    if (files.length === 0) wrong.push(arg);
    for (const file of files) {
      const folder =
        folders.find((it) => file.startsWith(`${it}/`)) ??
        (stat.isDirectory() ? path : path.slice(0, path.lastIndexOf('/')));
      byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(file));
    }
  }
  if (wrong.length > 0)
    throw new Error(
      `${wrong.join(', ')}: no folder or file with code of ours; name it from the root of the repository, as in ${folders[0]}`,
    );
  return [...byFolder].map(([folder, files]) => ({ folder, files: [...files].sort() }));
}

module.exports = { FOLDERS, chosen, productFiles };
