import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire, isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { words } from './dockerfile';
import { localBuild, type Built } from './local-build';
import { inContext, ROOT, STAGES, WORKSPACES } from './repository';

const OPTIONAL = createRequire(__filename)(
  join(ROOT, 'tools/lib/optional-packages.cjs'),
) as readonly string[];
const run = promisify(execFile);
const TEN_MINUTES = 600_000;

/** What development needs and nothing that runs. */
const DEVELOPMENT = [
  '@kubernetes/client-node',
  'esbuild',
  'typescript',
  'jest',
  '@swc/core',
  'nx',
  'eslint',
  'fast-check',
  'testcontainers',
  '@ovn-steward/testbed',
];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
const OURS = new Map(WORKSPACES.map((folder) => [manifestOf(folder).name, folder]));

/** A package of ours and those of ours it needs. */
function closure(name: string): Set<string> {
  const found = new Set([name]);
  for (const packageName of found)
    for (const dependency of Object.keys(manifestOf(OURS.get(packageName)!).dependencies ?? {}))
      if (OURS.has(dependency)) found.add(dependency);
  return found;
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name));

/** The packages a compiled file of ours asks for. */
const requestedBy = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:(?:__)?require|import)\(["']([^"'.][^"']*)["']\)/g)]
    .map((it) => it[1]!)
    .filter((it) => !isBuiltin(it))
    .map((specifier) =>
      specifier.startsWith('#')
        ? specifier
        : specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
    );

/**
 * Whether Node, looking upwards from the file, finds the package within the folder; or, for a `#`
 * name, what the package's own `imports` lead to.
 */
function finds(name: string, file: string, folder: string): boolean {
  if (name.startsWith('#')) return importsFind(name, file, folder);
  for (let at = dirname(file); at.startsWith(folder); at = dirname(at))
    if (existsSync(join(at, 'node_modules', name, 'package.json'))) return true;
  return false;
}

/** Jest's own resolver would take the condition of our sources, which an image does not have. */
function importsFind(name: string, file: string, folder: string): boolean {
  for (let at = dirname(file); at.startsWith(folder); at = dirname(at)) {
    if (!existsSync(join(at, 'package.json'))) continue;
    const { imports = {} } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as {
      imports?: Readonly<Record<string, { readonly default: string }>>;
    };
    return Object.entries(imports).some(([pattern, { default: target }]) => {
      const [before] = pattern.split('*') as [string];
      return (
        name.startsWith(before) &&
        existsSync(join(at, target.replace('*', name.slice(before.length))))
      );
    });
  }
  return false;
}

describe('the images, built without an engine', () => {
  let scratch = '';
  let build: (target: string) => Built;
  const appOf = (target: string): string => join(build(target).root, 'app');
  const inTarget = (
    target: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) =>
    run(process.execPath, [...args], {
      cwd: appOf(target),
      env: { PATH: process.env['PATH'], ...Object.fromEntries(build(target).env), ...env },
    });

  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'steward-images-'));
    build = localBuild({
      stages: STAGES,
      context: ROOT,
      inContext,
      scratch,
      // The packages for building are those this test runs with: they were installed from the same
      // lockfile.
      instead: (command, folder) => {
        const everything = command === 'npm ci --ignore-scripts --no-audit --no-fund';
        for (const workspace of everything ? ['', ...WORKSPACES] : [])
          if (existsSync(join(ROOT, workspace, 'node_modules')))
            symlinkSync(
              join(ROOT, workspace, 'node_modules'),
              join(folder, workspace, 'node_modules'),
            );
        return everything;
      },
    });
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  describe.each([
    ['collector', '@ovn-steward/collector'],
    ['analyzer', '@ovn-steward/analyzer'],
    ['executor', '@ovn-steward/executor'],
    ['notifier', '@ovn-steward/notifier'],
    ['steward', '@ovn-steward/steward'],
  ])('%s', (target, name) => {
    const entry = words(
      STAGES.find((it) => it.name === target)!.instructions.find((it) => it.name === 'ENTRYPOINT')!,
    ).slice(1);

    it(
      'is built, but for what needs root',
      () => {
        expect(build(target).leftOut).toEqual([
          'node: /usr/local/bin/node',
          'install -d -m 0700 -o 65532 -g 65532 /var/lib/steward',
        ]);
      },
      TEN_MINUTES,
    );

    it('starts, and says how to use it and which version it is', async () => {
      expect((await inTarget(target, [...entry, '--help'])).stdout).toContain('Usage');
      expect((await inTarget(target, [...entry, '--version'])).stdout.trim()).toBe(
        manifestOf(OURS.get(name)!).version,
      );
    });

    it('holds the packages of ours that it uses, and no other', () => {
      expect(
        readdirSync(join(appOf(target), 'node_modules/@ovn-steward'))
          .map((it) => `@ovn-steward/${it}`)
          .sort(),
      ).toEqual([...closure(name)].sort());
      const folders = [...closure(name)].map((it) => OURS.get(it)!).sort();
      expect(readdirSync(appOf(target)).sort()).toEqual(
        [
          ...new Set([
            'LICENSE',
            'node_modules',
            'process-one.cjs',
            ...folders.map((it) => it.split('/')[0]!),
          ]),
        ].sort(),
      );
    });

    it('finds every package its files ask for', () => {
      const folder = appOf(target);
      const files = filesUnder(folder).filter(
        (file) =>
          /\/(?:libs|services|apps)\/.*\.[cm]?js$/.test(file.slice(folder.length)) &&
          !file.includes('/node_modules/'),
      );
      expect(files.length).toBeGreaterThan(20);
      expect(
        files.flatMap((file) =>
          requestedBy(file)
            .filter((it) => !OPTIONAL.includes(it) && !finds(it, file, folder))
            .map((it) => `${relative(folder, file)}: ${it}`),
        ),
      ).toEqual([]);
    });

    it('holds nothing that only development needs', () => {
      const folder = appOf(target);
      expect(DEVELOPMENT.filter((it) => existsSync(join(folder, 'node_modules', it)))).toEqual([]);
      expect(
        filesUnder(folder)
          .filter(
            (file) =>
              /\.(?:ts|map|test\.js|contract\.js)$|\/testing\/|\/src\//.test(
                file.slice(folder.length),
              ) && !file.includes('/node_modules/'),
          )
          .map((it) => relative(folder, it)),
      ).toEqual([]);
    });
  });

  it(
    'demo tells its story of the recording it brings',
    async () => {
      expect(build('demo').leftOut.map((it) => it.split(' ')[0])).toEqual([
        'node:',
        'install',
        'apt-get',
      ]);
      const { stdout } = await inTarget('demo', [
        '-e',
        'console.log([...Object.keys(require("./events.cjs")), typeof require("./story.cjs").story, typeof require("./northbound.cjs").serve].join())',
      ]);
      expect(stdout.trim()).toMatch(/^restart,.*,function,function$/);
      expect(existsSync(join(build('demo').root, 'recording/nb.db'))).toBe(true);
    },
    TEN_MINUTES,
  );

  it(
    'wait is one file, and says how to use it',
    async () => {
      build('wait');
      expect(readdirSync(appOf('wait')).sort()).toEqual(['process-one.cjs', 'steward-wait.cjs']);
      expect(
        (await inTarget('wait', ['--require', './process-one.cjs', 'steward-wait.cjs', '--help']))
          .stdout,
      ).toContain('Usage: steward-wait');
    },
    TEN_MINUTES,
  );

  it(
    'subscriber starts, and waits for a broker',
    async () => {
      build('subscriber');
      const waiting = inTarget('subscriber', ['--require', './process-one.cjs', 'subscriber.cjs'], {
        DEMO_BROKERS: '127.0.0.1:1',
      });
      await once(waiting.child.stdout!, 'data');
      waiting.child.kill('SIGTERM');
      expect((await waiting).stdout).toContain('waiting for steward.findings.v1 on 127.0.0.1:1');
    },
    TEN_MINUTES,
  );

  describe('the health check of a service', () => {
    const [command, ...args] = words({
      rest: STAGES.find((it) => it.name === 'service')!
        .instructions.find((it) => it.name === 'HEALTHCHECK')!
        .rest.replace(/^CMD /, ''),
    });
    const answering = (status: number): Promise<Server> =>
      new Promise((resolve) => {
        const server = createServer((request, response) =>
          response.writeHead(request.url === '/livez' ? status : 404).end(),
        );
        server.listen(0, '127.0.0.1', () => resolve(server));
      });
    const exitCode = (port: number): Promise<number> =>
      run(process.execPath, args, { env: { STEWARD_HTTP__PROBES: `0.0.0.0:${port}` } }).then(
        () => 0,
        (error: { code: number }) => error.code,
      );

    it.each([
      [200, 0],
      [503, 1],
    ])('takes %s from /livez as %s', async (status, code) => {
      expect(command).toBe('node');
      const server = await answering(status);
      const { port } = server.address() as AddressInfo;
      expect(await exitCode(port)).toBe(code);
      await new Promise((resolve) => {
        server.close(resolve);
      });
      expect(await exitCode(port)).toBe(1);
    });
  });
});
