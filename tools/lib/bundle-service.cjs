// node bundle-service.cjs, in the folder of a service: its program as one file, `dist/main.js`, and a
// source map.
const { bundle } = require('./bundle.cjs');

bundle(process.cwd(), {
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  format: 'cjs',
});
