import { join } from 'node:path';
import { STEWARD } from './support/steward';
import { keepState } from './upgrade/keep-state';

/**
 * `npm run -s keep-state -- [program [version]]`: keeps the state that this version, or a built
 * other one, makes.
 */
const [steward = STEWARD, version = process.env['npm_package_version']] = process.argv.slice(2);

if (version === undefined) throw new Error('run it by npm, or name a version');
keepState(steward, join(__dirname, 'upgrade', 'states', version)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
