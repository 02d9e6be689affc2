// What each process does before its first test file (`setupFiles`).
import { createRequire, register } from 'node:module';

createRequire(import.meta.url)('../lib/typescript.cjs');
// A test file is loaded with import(), which asks no `require.extensions`.
register('./load-typescript.mjs', import.meta.url);

process.setSourceMapsEnabled(true); // so that an error names lines as they are written

// runner.mjs put it there for this process, not for what the tests start.
const options = (process.env.NODE_OPTIONS ?? '').replace(/ ?--conditions=\S+$/, '');
if (options === '') delete process.env.NODE_OPTIONS;
else process.env.NODE_OPTIONS = options;

// A test that left a timer or a connection would keep the process when jest has ended.
process.on('disconnect', () => process.exit());
