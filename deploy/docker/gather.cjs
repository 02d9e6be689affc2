// node gather.cjs <to> <package>…: what the build made of each package, under its own path. Nothing
// else: the rest comes with the manifests and with npm.
const { cpSync, existsSync } = require('node:fs');
const { join } = require('node:path');

const [to, ...packages] = process.argv.slice(2);
for (const folder of packages) {
  for (const part of ['dist', 'bin']) {
    const from = join(folder, part);
    if (existsSync(from)) cpSync(from, join(to, from), { recursive: true });
    else if (part === 'dist') throw new Error(`${from} is not there: the build did not make it`);
  }
}
