import { parse } from 'yaml';
import { assignments } from './dockerfile';
import { STAGES, textOf } from './repository';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly target: readonly string[] } };
  readonly steps: readonly Step[];
}

const { jobs, permissions } = parse(textOf('.github/workflows/release.yml')) as {
  readonly jobs: Readonly<Record<'images' | 'npm' | 'chart' | 'version', Job>>;
  readonly permissions: object;
};
const { images, npm } = jobs;
/** For trying things out; nobody is to run them in a cluster. */
const FOR_TRIALS = ['demo', 'subscriber'];

const at = (job: Job, wanted: (step: Step) => boolean): number => {
  const index = job.steps.findIndex(wanted);
  if (index < 0) throw new Error('there is no such step');
  return index;
};
const uses = (name: string) => (it: Step) => it.uses?.startsWith(`${name}@`) === true;
const runs = (text: string) => (it: Step) => it.run?.includes(text) === true;

describe('the release workflow', () => {
  test('builds every image that is for a cluster', () => {
    const programs = STAGES.filter(({ instructions }) =>
      instructions.some(({ name }) => name === 'ENTRYPOINT'),
    ).map(({ name }) => name);
    expect([...images.strategy!.matrix.target, ...FOR_TRIALS].sort()).toEqual(programs.sort());
  });

  test('gives the build every argument that the labels are made of, and leaves the bases to the Dockerfile', () => {
    const build = images.steps[at(images, uses('docker/build-push-action'))]!;
    const given = new Map(
      String(build.with!['build-args'])
        .trim()
        .split('\n')
        .map((it) => it.trim().split('=', 2) as [string, string]),
    );
    const wanted = STAGES.find(({ name }) => name === 'runtime')!
      .instructions.filter(({ name }) => name === 'ARG')
      .flatMap((it) => [...assignments(it).keys()]);
    expect(wanted).toContain('BASE_DIGEST');
    expect([...given.keys()].sort()).toEqual([...wanted].sort());
    expect(build.with).toMatchObject({
      provenance: 'mode=max',
      outputs: expect.stringContaining('push-by-digest=true'),
    });
  });

  test('scans an image by its CycloneDX list, and attests both, before it gets its name', () => {
    const order = [
      uses('docker/build-push-action'),
      uses('anchore/sbom-action'),
      uses('aquasecurity/trivy-action'),
      uses('actions/attest-build-provenance'),
      uses('actions/attest-sbom'),
      runs('imagetools create --tag'),
    ].map((it) => at(images, it));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(images.steps[order[1]!]!.with).toMatchObject({ format: 'cyclonedx-json' });
    expect(images.steps[order[2]!]!.with).toMatchObject({ 'exit-code': '1' });
  });

  test('tries the npm package before it publishes it, with its provenance, after the images', () => {
    expect(npm.needs).toContain('images');
    const [tried, staged, published] = [
      at(npm, runs('jest tools/npm')),
      at(npm, runs('tools/npm/stage.cjs npm-package')),
      at(npm, runs('npm publish ./npm-package --provenance')),
    ] as const;
    expect(tried < published && staged < published).toBe(true);
  });

  test('may only read, but for what each job publishes', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs))
      for (const [scope, right] of Object.entries(job.permissions ?? {}))
        expect([scope, right]).toEqual([scope, scope === 'contents' ? 'read' : 'write']);
  });
});
