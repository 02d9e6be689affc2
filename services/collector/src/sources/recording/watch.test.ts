import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '../../source-kit/source';
import {
  detailOf,
  failureOf,
  folderOf,
  kubectlList,
  listedOf,
  observationsOf,
  podOf,
  recordings,
  removeFolders,
  verdictsIn,
} from './testing/recording-fixture';

afterEach(removeFolders);

const pods = '/api/v1/pods';
const lines = (...all: object[]): string => all.map((it) => JSON.stringify(it)).join('\n');
const list = (recv: number, count: number, path = pods): object => ({
  recv,
  path,
  list: { resourceVersion: '7', count },
});
const event = (recv: number, type: string, object: unknown, path = pods): object => ({
  recv,
  path,
  event: { type, object },
});
const replay = (...all: object[]): Promise<Observation[]> =>
  observationsOf(join(folderOf({ 'watch.ndjson': lines(...all) }), 'watch.ndjson'), 'watch');
const ofPods = (observations: readonly Observation[]): string[] =>
  observations
    .filter((it) => it.stream === 'kubernetes/Pod' && it.type !== 'progress')
    .map((it) => (it.type === 'object' || it.type === 'gone' ? `${it.type} ${it.name}` : it.type));

/**
 * What a consumer holds at the end: full reads replace, objects and removals between them apply.
 */
function worldOf(observations: readonly Observation[]): Map<string, Record<string, unknown>> {
  const world = new Map<string, Record<string, unknown>>();
  const shown = new Map<string, Set<string>>();
  for (const observation of observations) {
    if (observation.type === 'begin') shown.set(observation.stream, new Set());
    if (observation.type === 'object') {
      world.set(`${observation.stream}/${observation.uid}`, observation.object);
      shown.get(observation.stream)?.add(`${observation.stream}/${observation.uid}`);
    }
    if (observation.type === 'gone') world.delete(`${observation.stream}/${observation.uid}`);
    if (observation.type === 'complete')
      for (const key of world.keys())
        if (
          key.startsWith(`${observation.stream}/`) &&
          shown.get(observation.stream)?.has(key) === false
        )
          world.delete(key);
    if (observation.type === 'complete') shown.delete(observation.stream);
  }
  return world;
}

describe('replaying a watch', () => {
  it('knows a kind that began empty, from its first event on', async () => {
    expect(
      ofPods(
        await replay(
          list(1, 0),
          event(2, 'ADDED', podOf('a')),
          event(3, 'MODIFIED', podOf('a')),
          event(4, 'DELETED', podOf('a')),
        ),
      ),
    ).toEqual(['begin', 'complete', 'object a', 'object a', 'gone a']);
  });

  it('knows a kind once all that were there when it began have shown themselves, and not before', async () => {
    const observations = await replay(
      list(1, 2),
      event(2, 'MODIFIED', podOf('a')),
      event(3, 'ADDED', podOf('new')),
      event(4, 'DELETED', podOf('b')),
      event(5, 'MODIFIED', podOf('new')),
    );
    expect(ofPods(observations)).toEqual([
      'unavailable',
      'begin',
      'object a',
      'object new',
      'complete',
      'object new',
    ]);
  });

  it('does not count an object twice, nor one that was born later', async () => {
    const observations = await replay(
      list(1, 2),
      event(2, 'MODIFIED', podOf('a')),
      event(3, 'MODIFIED', podOf('a')),
      event(4, 'ADDED', podOf('n')),
      event(5, 'MODIFIED', podOf('n')),
    );
    expect(verdictsIn(observations).get('Pod')).toBe('not-listed');
    expect(detailOf(observations, 'Pod')).toContain('2 of Pod');
  });

  it('starts the reckoning again after a second list', async () => {
    expect(
      verdictsIn(await replay(list(1, 0), event(2, 'ADDED', podOf('a')), list(3, 1))).get('Pod'),
    ).toBe('not-listed');
    expect(ofPods(await replay(list(1, 1), event(2, 'MODIFIED', podOf('a')), list(3, 0)))).toEqual([
      'unavailable',
      'begin',
      'object a',
      'complete',
      'begin',
      'complete',
    ]);
  });

  it('holds a malformed event, an error and an unknown type against the kind', async () => {
    for (const bad of [
      event(2, 'ADDED', {}),
      event(2, 'ERROR', { code: 410 }),
      event(2, 'RENAMED', podOf('a')),
    ]) {
      const observations = await replay(list(1, 0), bad, event(3, 'ADDED', podOf('b')));
      expect(verdictsIn(observations).get('Pod')).toBe('broken');
      expect(ofPods(observations)).not.toContain('object b');
    }
  });

  it('passes over other kinds, and says of those never listed that they are not known', async () => {
    const observations = await replay(
      list(1, 3, '/api/v1/endpoints'),
      event(2, 'ADDED', { kind: 'Secret' }, '/api/v1/secrets'),
      list(3, 0),
    );
    expect(verdictsIn(observations).get('Pod')).toBe('complete');
    expect(verdictsIn(observations).get('Subnet')).toBe('not-listed');
  });

  it('moves the time of every complete kind with the recording, never past what was played', async () => {
    const observations = await replay(
      list(100, 0),
      list(100.5, 0, '/api/v1/nodes'),
      event(103, 'ADDED', podOf('a')),
    );
    const through = observations.flatMap((it) =>
      it.type === 'progress' ? [`${it.stream} ${it.through.slice(14, 23)}`] : [],
    );
    expect(through).toEqual([
      'kubernetes/Pod 01:40.000',
      'kubernetes/Node 01:40.500',
      'kubernetes/Pod 01:40.500',
      'kubernetes/Node 01:40.500',
      'kubernetes/Pod 01:43.000',
      'kubernetes/Pod 01:43.000',
      'kubernetes/Node 01:43.000',
    ]);
  });

  it('gives no watermark to a kind of which it does not know everything', async () => {
    const observations = await replay(
      list(100, 2),
      event(103, 'MODIFIED', podOf('a')),
      list(105, 0, '/api/v1/nodes'),
    );
    expect(
      observations.filter((it) => it.type === 'progress').map((it) => it.stream),
    ).not.toContain('kubernetes/Pod');
  });

  it.each<[string, string, string]>([
    ['lines out of order', lines(list(2, 0), list(1, 0)), 'input-unreadable'],
    ['a line of another shape', '{"recv":1,"path":"/api/v1/pods"}', 'input-not-a-dump'],
    [
      'a count that is none',
      '{"recv":1,"path":"/api/v1/pods","list":{"resourceVersion":"1","count":"0"}}',
      'input-not-a-dump',
    ],
    ['a time beyond every calendar', lines(list(1, 0), list(9e12, 0)), 'input-not-a-dump'],
    ['a line cut off', `${lines(list(1, 0))}\n{"recv":2,`, 'input-truncated'],
    ['a dump', kubectlList([podOf('a')]), 'input-not-a-dump'],
  ])('refuses %s', async (_name, content, code) => {
    expect(
      (await failureOf(observationsOf(folderOf({ 'watch.ndjson': content }), 'watch'))).code,
    ).toBe(code);
  });

  it('ends with the dump as the authoritative read, no earlier than the last event', async () => {
    const observations = await observationsOf(
      folderOf({
        'watch.ndjson': lines(list(1795250000, 1)),
        'kubernetes.json': kubectlList([podOf('a')]),
        'listed.json': listedOf({ Pod: 1 }),
      }),
      'watch',
    );
    expect(ofPods(observations)).toEqual(['unavailable', 'begin', 'object a', 'complete']);
    expect(observations.at(-1)).toMatchObject({ type: 'unavailable' });
    expect(observations.findLast((it) => it.type === 'progress')).toMatchObject({
      through: new Date(1795250000_000).toISOString(),
    });
  });

  it.each(['clean', 'leaky', 'shared-neutron'])(
    'plays %s to the very world its dump shows',
    async (name) => {
      const folder = join(recordings, name);
      expect(worldOf(await observationsOf(folder, 'watch'))).toEqual(
        worldOf(await observationsOf(folder)),
      );
    },
  );

  it('plays the whole build-up of clean to its dump by the watch alone, and knows what it may', async () => {
    const watch = await observationsOf(join(recordings, 'clean', 'watch.ndjson'), 'watch');
    const final = await observationsOf(join(recordings, 'clean'));
    const verdicts = verdictsIn(watch);
    expect(
      ['Namespace', 'Pod', 'Subnet', 'Vpc', 'IP', 'Service', 'Lease'].map((it) => verdicts.get(it)),
    ).toEqual(Array(7).fill('complete'));
    expect(verdicts.get('DaemonSet')).toBe('not-listed');
    expect(verdicts.has('ConfigMap')).toBe(false); // in the watch, and not read
    const known = (observations: Observation[]): string[] =>
      [...worldOf(observations).keys()]
        .filter((it) => verdicts.get(it.split('/')[1] as string) === 'complete')
        .sort();
    expect(known(watch)).toEqual(known(final));
    expect(
      readFileSync(join(recordings, 'clean', 'watch.ndjson'), 'utf8').split('\n').length,
    ).toBeGreaterThan(800);
  });
});
