// node bundle-kube-config.cjs [<folder>]: what is loaded for a kubeconfig, as one file of what is
// used of client-node and its dependencies, and beside it the terms under which we have them. Into
// the build, unless a folder is named.
const { existsSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const esbuild = require('esbuild');
const { licensesOf } = require('../../tools/lib/licenses.cjs');

/**
 * client-node's generated modules have classes and nothing else, so that what is not used of them
 * may go. Its package.json does not say so. They import each other by whole file names: to have
 * esbuild resolve these takes ten times as long as the rest of the build.
 */
const withoutSideEffects = {
  name: 'without-side-effects',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir }) => {
      const file = join(resolveDir, path);
      return importer.includes('client-node') && /[\\/]dist[\\/]gen[\\/]/.test(file)
        ? { path: file, sideEffects: false }
        : undefined;
    });
  },
};

/** node-fetch tries this package, which it does not bring along, and goes on without it. */
const withoutEncoding = {
  name: 'without-encoding',
  setup(build) {
    build.onResolve({ filter: /^encoding$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    build.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error('There is no ${path} in this bundle');`,
    }));
  },
};

/** @returns what esbuild says of the bundle. */
async function bundle(folder) {
  const { metafile } = await esbuild.build({
    entryPoints: [join(__dirname, 'src/kubernetes/kube-config.ts')],
    outfile: join(folder, 'kube-config.js'),
    absWorkingDir: __dirname,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // An image is built without the one that ours extends, of which esbuild warns for each module.
    tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
    keepNames: true,
    // Node's own is deprecated, and warns of it when it is loaded from outside of node_modules.
    alias: { punycode: 'punycode/punycode.js' },
    plugins: [withoutSideEffects, withoutEncoding],
    metafile: true,
    logLevel: 'warning',
    banner: { js: '// What is bundled here is listed in kube-config.licenses.txt.' },
  });
  return metafile;
}

async function main(folder) {
  if (!existsSync(folder)) throw new Error(`${folder} is not there: the build makes it first`);
  const metafile = await bundle(folder);
  rmSync(join(folder, 'kube-config.js.map'), { force: true }); // of the module that stood there
  writeFileSync(join(folder, 'kube-config.licenses.txt'), licensesOf(metafile, __dirname));
}

main(process.argv[2] ?? join(__dirname, 'dist/kubernetes'));
