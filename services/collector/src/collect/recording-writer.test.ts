import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeRecording } from './recording-writer';
import type { Observation } from '../source-kit/source';
import { kubernetesRecording } from '../sources/recording/kubernetes-recording';
import {
  detailOf,
  failureOf,
  folderOf,
  kubectlList,
  listedOf,
  namesOf,
  observationsOf,
  podOf,
  recordings,
  removeFolders,
  verdictsIn,
  vpcFixture,
} from '../sources/recording/testing/recording-fixture';

afterEach(removeFolders);

const read = (path: string): AsyncIterable<readonly Observation[]> =>
  kubernetesRecording({ path, replay: 'final' }).observe(new AbortController().signal);

async function* said(...observations: Observation[]): AsyncIterable<readonly Observation[]> {
  yield observations;
}

/**
 * Grouped by stream: the writer keeps a kind's objects together, where the original may interleave
 * them.
 */
const byStream = (observations: Observation[]): Observation[] =>
  observations.toSorted((a, b) => a.stream.localeCompare(b.stream));

const rewritten = async (path: string): Promise<string> => {
  const folder = join(folderOf({}), 'again');
  await writeRecording(folder, read(path));
  return folder;
};

const pod = (name: string): Observation => ({
  type: 'object',
  stream: 'kubernetes/Pod',
  kind: 'Pod',
  uid: `uid-${name}`,
  namespace: 'shop',
  name,
  object: podOf(name) as Record<string, unknown>,
});
const begin: Observation = { type: 'begin', stream: 'kubernetes/Pod', kinds: ['Pod'] };
const complete: Observation = {
  type: 'complete',
  stream: 'kubernetes/Pod',
  kinds: ['Pod'],
  cursor: '7',
};

describe('writeRecording', () => {
  it.each(['leaky', 'clean', 'shared-neutron'])(
    'reading what was written of %s gives the same observations',
    async (name) => {
      const path = join(recordings, name);
      expect(byStream(await observationsOf(await rewritten(path)))).toEqual(
        byStream(await observationsOf(path)),
      );
    },
  );

  it('is its owner’s alone, whatever the process lets others have by default', async () => {
    const umask = process.umask(0);
    const folder = await rewritten(join(recordings, 'clean')).finally(() => process.umask(umask));
    expect(
      ['', 'kubernetes.json', 'listed.json'].map((it) =>
        (statSync(join(folder, it)).mode & 0o777).toString(8),
      ),
    ).toEqual(['700', '600', '600']);
  });

  it('fails in a sentence where it cannot write', async () => {
    const folder = join(folderOf({}), 'r');
    async function* occupied(): AsyncGenerator<readonly Observation[]> {
      yield [begin, pod('a'), complete];
      mkdirSync(join(folder, 'listed.json'));
    }
    await expect(writeRecording(folder, occupied())).rejects.toMatchObject({
      code: 'output-unwritable',
      message: expect.stringContaining(`${folder} cannot be written: EEXIST`),
    });
  });

  it('keeps why a kind is not complete, and its objects', async () => {
    const twice = folderOf({
      'kubernetes.json': kubectlList([podOf('a'), podOf('a'), vpcFixture('v')]),
      'listed.json': listedOf({ Pod: 2, 'kubeovn.io/v1 Vpc': 1 }),
    });
    const observations = await observationsOf(await rewritten(twice));
    expect(observations.filter((it) => it.type !== 'progress')).toEqual(
      (await observationsOf(twice)).filter((it) => it.type !== 'progress'),
    );
    expect(verdictsIn(observations).get('Pod')).toBe('broken');
    expect(detailOf(observations, 'Pod')).toContain('twice');
  });

  it('writes the world as it stands at the end: later objects in, the gone out, a new read replaces the old', async () => {
    const folder = join(folderOf({}), 'r');
    const gone: Observation = {
      type: 'gone',
      stream: 'kubernetes/Pod',
      kind: 'Pod',
      uid: 'uid-b',
      namespace: 'shop',
      name: 'b',
    };
    expect(
      await writeRecording(
        folder,
        said(begin, pod('old'), complete, begin, pod('a'), pod('b'), complete, gone, pod('c')),
      ),
    ).toBe(2);
    const observations = await observationsOf(folder);
    expect(namesOf(observations, 'Pod')).toEqual(['a', 'c']);
    expect(verdictsIn(observations).get('Pod')).toBe('complete');
    expect(observations).toContainEqual(complete);
  });

  it('calls nothing complete that was begun again, or lost, and not finished', async () => {
    const lost: Observation = {
      type: 'unavailable',
      stream: 'kubernetes/Pod',
      kinds: ['Pod'],
      reason: 'forbidden',
      detail: 'may not list pods',
    };
    for (const [last, verdict] of [
      [begin, 'not-listed'],
      [lost, 'forbidden'],
    ] as const) {
      const folder = join(folderOf({}), 'r');
      await writeRecording(folder, said(begin, pod('a'), complete, last));
      expect(verdictsIn(await observationsOf(folder)).get('Pod')).toBe(verdict);
    }
  });

  it('takes the earliest watermark of the complete kinds for its time, by default', async () => {
    const progress = (kind: string, through: string): Observation => ({
      type: 'progress',
      stream: `kubernetes/${kind}`,
      cursor: '',
      through,
    });
    const vpcs: Observation[] = [
      { type: 'begin', stream: 'kubernetes/Vpc', kinds: ['Vpc'] },
      { type: 'complete', stream: 'kubernetes/Vpc', kinds: ['Vpc'], cursor: '' },
    ];
    const all = [
      begin,
      complete,
      ...vpcs,
      progress('Pod', '2026-11-21T09:00:00.000Z'),
      progress('Vpc', '2026-11-21T08:00:00.000Z'),
      progress('IP', '2020-01-01T00:00:00.000Z'),
    ];
    for (const [options, asOf] of [
      [{}, '2026-11-21T08:00:00.000Z'],
      [{ asOf: '2026-11-21T10:00:00Z' }, '2026-11-21T10:00:00Z'],
    ] as const) {
      const folder = join(folderOf({}), 'r');
      await writeRecording(folder, said(...all), options);
      expect(JSON.parse(readFileSync(join(folder, 'listed.json'), 'utf8'))).toMatchObject({ asOf });
    }
  });

  it('lets no secret into its files, not even from objects nobody trimmed', async () => {
    const secret = 'hunter2';
    const object = podOf('a', {
      spec: {
        nodeName: 'w',
        containers: [
          {
            env: [{ name: 'PASSWORD', value: secret }],
            command: ['sh', '-c', secret],
            args: [secret],
          },
        ],
        volumes: [{ name: secret }],
      },
    }) as { metadata: Record<string, unknown> };
    object.metadata = {
      ...object.metadata,
      managedFields: [{ manager: secret }],
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': secret,
        'vault.example/token': secret,
        'ovn.kubernetes.io/allocated': 'true',
      },
    };
    const configMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'app', namespace: 'shop', uid: 'cm' },
      data: { password: secret },
    };
    const dump = folderOf({
      'kubernetes.json': kubectlList([object, configMap]),
      'listed.json': listedOf({ Pod: 1, ConfigMap: 1 }),
    });
    const untrimmed = join(folderOf({}), 'r');
    await writeRecording(untrimmed, said(begin, { ...pod('a'), object } as Observation, complete));
    for (const folder of [await rewritten(dump), untrimmed]) {
      const written = readFileSync(join(folder, 'kubernetes.json'), 'utf8');
      expect(written).toContain('ovn.kubernetes.io/allocated');
      expect(written + readFileSync(join(folder, 'listed.json'), 'utf8')).not.toContain(secret);
    }
  });

  it('does not write over a recording, and leaves no listed.json when the source fails', async () => {
    expect((await failureOf(writeRecording(join(recordings, 'clean'), said()))).code).toBe(
      'config-invalid',
    );
    const folder = join(folderOf({}), 'r');
    async function* failing(): AsyncIterable<readonly Observation[]> {
      yield [begin, pod('a'), complete];
      throw new Error('connection lost');
    }
    await expect(writeRecording(folder, failing())).rejects.toThrow('connection lost');
    expect(existsSync(join(folder, 'listed.json'))).toBe(false);
  });

  it('passes over what is not of Kubernetes', async () => {
    const row: Observation = {
      type: 'object',
      stream: 'ovn-nb',
      kind: 'Service',
      uid: 'u',
      name: 'x',
      object: {},
    };
    expect(await writeRecording(join(folderOf({}), 'r'), said(row))).toBe(0);
  });
});
