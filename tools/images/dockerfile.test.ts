import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { assignments, readDockerfile, words, type Stage } from './dockerfile';
import { inContext, ROOT, STAGES, textOf, WORKSPACES } from './repository';

/** Everything that makes up a stage, what it stands on first. */
const lineage = (stage: Stage): Stage[] => [
  ...STAGES.filter((it) => it.name === stage.from).flatMap(lineage),
  stage,
];
const PROGRAMS = [
  'collector',
  'analyzer',
  'executor',
  'notifier',
  'steward',
  'wait',
  'demo',
  'subscriber',
];
const TARGETS = PROGRAMS.map((name) => STAGES.find((it) => it.name === name)!);
const instructionsOf = (stage: Stage, name: string) =>
  lineage(stage).flatMap((it) =>
    it.instructions.filter((instruction) => instruction.name === name),
  );

describe('readDockerfile', () => {
  it('reads stages, flags, joined lines and what is marked', () => {
    const [base, second] = readDockerfile(
      'ARG V=24\nARG I=node:${V}\n# one\nFROM ${I} AS base\nENV A=1 \\\n  B="x y"\nFROM base AS second\n# system\nRUN a \\\n && b\nCOPY --from=base --chown=1:1 /x y ./\n',
    );
    expect([base!.from, second!.from]).toEqual(['node:24', 'base']);
    expect(assignments(base!.instructions[0]!)).toEqual(
      new Map([
        ['A', '1'],
        ['B', 'x y'],
      ]),
    );
    expect(second!.instructions.map((it) => [it.name, it.rest, it.system])).toEqual([
      ['RUN', 'a && b', true],
      ['COPY', '/x y ./', false],
    ]);
    expect(second!.instructions[1]!.flags).toEqual(
      new Map([
        ['from', 'base'],
        ['chown', '1:1'],
      ]),
    );
    expect(words(second!.instructions[1]!)).toEqual(['/x', 'y', './']);
  });

  it('refuses a stage without a name', () => {
    expect(() => readDockerfile('FROM node')).toThrow('line 1: a stage without a name: node');
  });
});

describe('the Dockerfile', () => {
  it('has a target for every program', () => {
    expect(TARGETS.map((it) => it?.name)).toEqual(PROGRAMS);
  });

  it('stands on images that are named by their digests, and on nothing else', () => {
    const foreign = STAGES.map(({ from }) => from).filter(
      (from) => !STAGES.some(({ name }) => name === from),
    );
    expect(foreign.map((it) => it.replace(/@sha256:[0-9a-f]{64}$/, ''))).toEqual([
      'node:24-bookworm-slim',
      'debian:bookworm-slim',
    ]);
    expect(foreign.filter((it) => !it.includes('@sha256:'))).toEqual([]);
  });

  it('has the digests that the weekly scan holds against those of today', () => {
    const { jobs } = parse(textOf('.github/workflows/scan.yml')) as {
      readonly jobs: { readonly bases: { readonly steps: readonly { readonly run?: string }[] } };
    };
    const script = jobs.bases.steps.find(({ run }) => run !== undefined)!.run!;
    /** As the job runs, with a registry in which every image has this digest. */
    const scanned = (digest: string) =>
      spawnSync('bash', ['-e', '-c', `docker() { echo '{"digest":"${digest}"}'; }\n${script}`], {
        cwd: ROOT,
        encoding: 'utf8',
      });
    const newer = scanned('sha256:0');
    expect(newer.status).toBe(1);
    expect(newer.stdout.trim().split('\n')).toEqual([
      'deploy/docker/Dockerfile is behind; write: ARG NODE_IMAGE=node:24-bookworm-slim@sha256:0',
      'deploy/docker/Dockerfile is behind; write: ARG RUNTIME_IMAGE=debian:bookworm-slim@sha256:0',
    ]);
    const [, ofNode] = /^ARG NODE_IMAGE=.*@(.*)$/m.exec(textOf('deploy/docker/Dockerfile'))!;
    expect(scanned(ofNode!).stdout).not.toContain('NODE_IMAGE');
  });

  it('copies from stages that came before', () => {
    const wrong = STAGES.flatMap((stage, index) =>
      stage.instructions.filter(
        (instruction) =>
          instruction.flags.has('from') &&
          !STAGES.slice(0, index).some((other) => other.name === instruction.flags.get('from')),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('copies from the repository what is there and what .dockerignore lets in', () => {
    const copied = STAGES.flatMap((it) => it.instructions)
      .filter((it) => it.name === 'COPY' && !it.flags.has('from'))
      .flatMap((it) => words(it).slice(0, -1));
    expect(copied.filter((it) => !existsSync(join(ROOT, it)) || !inContext(it))).toEqual([]);
    expect(
      [
        'node_modules/zod/index.js',
        'libs/contracts/src/identity/ids.test.ts',
        'libs/shared/dist/ids.js',
        '.git/HEAD',
        'README.md',
        'examples/recordings/leaky/kubernetes.json',
      ].filter(inContext),
    ).toEqual([]);
  });

  it('copies the manifest of every package to where it belongs, so that npm knows them all', () => {
    const manifests = STAGES.find((it) => it.name === 'manifests')!
      .instructions.filter((it) => it.name === 'COPY')
      .map(words);
    expect(manifests).toContainEqual(['.npmrc', 'package.json', 'package-lock.json', './']);
    expect(WORKSPACES.length).toBeGreaterThan(7);
    expect(
      WORKSPACES.filter(
        (it) => !manifests.some(([from, to]) => from === `${it}/package.json` && to === `${it}/`),
      ),
    ).toEqual([]);
  });

  it('builds and gathers every package that ships', () => {
    const ships = WORKSPACES.filter((it) => /^(?:libs|services|apps)\//.test(it)).sort();
    const [, build, gather] = STAGES.find((it) => it.name === 'compiled')!
      .instructions.filter((it) => it.name === 'RUN')
      .map((instruction) =>
        instruction.rest
          .split(/\s+/)
          .filter((word) => statSync(join(ROOT, word), { throwIfNoEntry: false })?.isDirectory())
          .sort(),
      );
    expect([build, gather]).toEqual([ships, ships]);
  });

  it.each(TARGETS.map((it) => [it.name, it] as const))(
    'ends %s as a user without rights or name, told what it is',
    (_, stage) => {
      expect(instructionsOf(stage, 'USER').at(-1)?.rest).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
      const labels = new Map(instructionsOf(stage, 'LABEL').flatMap((it) => [...assignments(it)]));
      expect([...labels.keys()].sort()).toEqual(
        [
          ...['base.digest', 'base.name', 'created', 'description', 'licenses', 'revision'],
          ...['source', 'title', 'vendor', 'version'],
        ].map((it) => `org.opencontainers.image.${it}`),
      );
      expect(labels.get('org.opencontainers.image.licenses')).toBe('Apache-2.0');
      expect(words(instructionsOf(stage, 'ENTRYPOINT').at(-1)!)[0]).toBe('node');
    },
  );

  it('is of the version the packages are', () => {
    const version = STAGES.flatMap((it) => it.instructions).find(
      (it) => it.name === 'ARG' && it.rest.startsWith('VERSION='),
    )!;
    expect(assignments(version).get('VERSION')).toBe(
      (JSON.parse(textOf('package.json')) as { version: string }).version,
    );
  });

  it('marks as system what the test of the build leaves out, and only that', () => {
    const runs = STAGES.flatMap((it) => it.instructions).filter((it) => it.name === 'RUN');
    expect(runs.filter((it) => it.system).map((it) => it.rest.split(/\s+/)[0])).toEqual([
      'install',
      'apt-get',
    ]);
    expect(
      runs.filter(
        (it) => !it.system && !/^(?:npm|node) [^/]*(?:libs|services|apps)?[^;&|]*$/.test(it.rest),
      ),
    ).toEqual([]);
  });
});
