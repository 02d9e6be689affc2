import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { recordingLayoutOf } from './layout';
import { folderOf, recordings, removeFolders } from './testing/recording-fixture';

afterEach(removeFolders);

const kindsIn = async (names: readonly string[]): Promise<(string | undefined)[]> =>
  (await recordingLayoutOf(folderOf(Object.fromEntries(names.map((it) => [it, '{}']))))).files.map(
    (it) => it.kind?.kind,
  );

describe('layoutOf', () => {
  it('knows every kind by its resource, its full resource and its name', async () => {
    const expected = KUBERNETES_KINDS.map((it) => it.kind).sort();
    for (const nameOf of [
      (it: (typeof KUBERNETES_KINDS)[number]) => `${it.resource}.json`,
      (it: (typeof KUBERNETES_KINDS)[number]) =>
        `${[it.resource, it.group].filter(Boolean).join('.')}.yaml`,
      (it: (typeof KUBERNETES_KINDS)[number]) => `${it.kind}.ndjson`,
    ])
      expect((await kindsIn(KUBERNETES_KINDS.map(nameOf))).sort()).toEqual(expected);
  });

  it('finds a file for every kind that tools/dump.sh lists', async () => {
    const script = readFileSync(join(recordings, '../../tools/dump.sh'), 'utf8');
    const resources = /RESOURCES="([^"]*)"/.exec(script)?.[1]?.trim().split(/\s+/) ?? [];
    expect((await kindsIn(resources.map((it) => `${it}.json`))).sort()).toEqual(
      KUBERNETES_KINDS.map((it) => it.kind).sort(),
    );
  });

  it('leaves other files alone', async () => {
    expect(
      await kindsIn([
        'pods.json',
        'pods.json.part',
        'pods.txt',
        'secrets.json',
        'listed.json',
        'truth.json',
        'constructor.json',
      ]),
    ).toEqual(['Pod']);
  });

  it('takes a file as it is, with the folder it lies in', async () => {
    const folder = folderOf({ 'anything.txt': '{}' });
    expect(await recordingLayoutOf(join(folder, 'anything.txt'))).toEqual({
      folder,
      files: [{ path: join(folder, 'anything.txt') }],
    });
  });

  it('finds the watch beside the dump, and alone', async () => {
    const folder = join(recordings, 'clean');
    expect(await recordingLayoutOf(folder)).toEqual({
      folder,
      files: [{ path: join(folder, 'kubernetes.json') }],
      watch: join(folder, 'watch.ndjson'),
    });
    expect(await recordingLayoutOf(join(folder, 'watch.ndjson'))).toEqual({
      folder,
      files: [],
      watch: join(folder, 'watch.ndjson'),
    });
  });
});
