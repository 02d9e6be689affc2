import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE, REPOSITORY } from '../place';
import { cacheFolder, makeCacheFolder } from './cache';
import { chromiumAtHand, provisionChromium } from './chromium';
import { runCommand } from './command';
import { withLock } from './lock';
import type { Progress } from './progress';

/** The folder of the page that draws dashboards, and of what its components are made of. */
export const PAGE = join(PACKAGE, 'grafana');
const MADE_OF = [
  ...['package.json', 'package-lock.json', 'components.mjs'],
  ...['empty.mjs', 'scrollbars.mjs'],
];
const FILE = 'components.js';

/** Modules of Node that some components name, and none uses in a browser. */
const OF_NODE = ['stream', 'tty', 'util', 'path', 'fs', 'os'];
const BUNDLING = [
  ...['--bundle', '--minify', '--format=iife', '--global-name=Grafana', '--platform=browser'],
  ...['--main-fields=module,main', '--loader:.css=text', '--loader:.svg=dataurl'],
  ...['--define:process.env.NODE_ENV="production"', '--define:global=window'],
  ...OF_NODE.map((it) => `--alias:${it}=./empty.mjs`),
  '--alias:react-custom-scrollbars-2=./scrollbars.mjs',
  ...['--log-level=error', `--outfile=${FILE}`],
];

/** Grafana's components in one file, and a browser to draw with. */
export interface Grafana {
  readonly components: string;
  readonly chromium: NonNullable<ReturnType<typeof chromiumAtHand>>;
}

/** Another lock file is another bundle. */
function bundleName(): string {
  const hash = createHash('sha256');
  for (const name of MADE_OF) hash.update(readFileSync(join(PAGE, name)));
  return `grafana-${hash.update(BUNDLING.join(' ')).digest('hex').slice(0, 12)}`;
}

/** What was made before. Asks no network. */
export function grafanaAtHand(): Grafana | undefined {
  const components = join(cacheFolder(bundleName()), FILE);
  const chromium = chromiumAtHand();
  return chromium && existsSync(components) ? { components, chromium } : undefined;
}

/**
 * Grafana itself is under a licence that tests here do without. Its components are not
 * (Apache-2.0): installed from npm, bundled once, and the 500 MB of packages removed again.
 */
export async function provisionGrafana(progress: Progress): Promise<void> {
  await provisionChromium(progress);
  if (grafanaAtHand() !== undefined) return;
  const target = makeCacheFolder(bundleName());
  await withLock(
    join(target, 'lock'),
    () => progress('waiting for another process that bundles Grafana’s components'),
    async () => {
      if (grafanaAtHand() !== undefined) return;
      progress('installing and bundling Grafana’s components once, about a minute');
      await bundle(target);
    },
  );
}

async function bundle(target: string): Promise<void> {
  const work = mkdtempSync(join(target, '.making-'));
  try {
    for (const name of MADE_OF) cpSync(join(PAGE, name), join(work, name));
    cpSync(join(REPOSITORY, '.npmrc'), join(work, '.npmrc'));
    await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: work,
      timeout: 10 * 60_000,
    });
    const esbuild = join('node_modules', 'esbuild', 'bin', 'esbuild');
    await runCommand(process.execPath, [esbuild, 'components.mjs', ...BUNDLING], { cwd: work });
    renameSync(join(work, FILE), join(target, FILE));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
