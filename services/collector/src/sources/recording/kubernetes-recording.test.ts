import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { stringify } from 'yaml';
import type { Observation } from '../../source-kit/source';
import { kubernetesRecording } from './kubernetes-recording';
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
} from './testing/recording-fixture';

type Raw = { apiVersion: string; kind: string; metadata: { name: string; uid?: string } };
const leaky = join(recordings, 'leaky');
const leakyText = readFileSync(join(leaky, 'kubernetes.json'), 'utf8');
const leakyItems = (JSON.parse(leakyText) as { items: Raw[] }).items;
const leakyListed = readFileSync(join(leaky, 'listed.json'), 'utf8');
const objectsIn = (observations: readonly Observation[]): Observation[] =>
  observations.filter((it) => it.type === 'object');

afterEach(removeFolders);

describe('kubernetesRecording, final', () => {
  it.each(['leaky', 'clean', 'shared-neutron'])(
    'reads %s: what listed.json names is complete, the rest is not',
    async (name) => {
      const observations = await observationsOf(join(recordings, name));
      const listed = JSON.parse(readFileSync(join(recordings, name, 'listed.json'), 'utf8')) as {
        kinds: { kind: string; count: number }[];
      };
      const counts = new Map(listed.kinds.map((it) => [it.kind, it.count]));
      const verdicts = verdictsIn(observations);
      expect(verdicts.size).toBe(KUBERNETES_KINDS.length);
      const defined = new Set(namesOf(observations, 'CustomResourceDefinition'));
      for (const { kind, group, resource } of KUBERNETES_KINDS) {
        const isServed = kind === 'DaemonSet' || defined.has(`${resource}.${group}`);
        const unlisted = isServed ? 'not-listed' : 'not-served';
        expect([kind, verdicts.get(kind)]).toEqual([
          kind,
          counts.has(kind) ? 'complete' : unlisted,
        ]);
        expect([kind, namesOf(observations, kind).length]).toEqual([kind, counts.get(kind) ?? 0]);
      }
    },
  );

  it('passes over kinds that are not read any more, wherever they are named', async () => {
    const settings = { ...podOf('settings'), kind: 'ConfigMap' };
    const observations = await observationsOf(
      folderOf({
        'kubernetes.json': kubectlList([podOf('a'), settings, settings]),
        'listed.json': listedOf(
          { Pod: 1, ConfigMap: 7 },
          { unavailable: [{ kind: 'VpcDns', reason: 'forbidden', detail: 'may not be listed' }] },
        ),
        'configmaps.json': '{"torn',
      }),
    );
    const verdicts = verdictsIn(observations);
    expect(verdicts.get('Pod')).toBe('complete');
    expect(objectsIn(observations)).toHaveLength(1);
    expect(['ConfigMap', 'VpcDns'].filter((it) => verdicts.has(it))).toEqual([]);
  });

  it('begins every kind first and settles every kind last', async () => {
    const types = (await observationsOf(leaky)).map((it) => it.type);
    expect(types.lastIndexOf('begin')).toBeLessThan(types.indexOf('object'));
    expect(types.lastIndexOf('object')).toBeLessThan(
      Math.min(types.indexOf('complete'), types.indexOf('unavailable'), types.indexOf('progress')),
    );
  });

  it('knows the time up to which it knows: asOf, else the newest creation, else the file', async () => {
    const throughOf = async (path: string): Promise<string | undefined> =>
      (await observationsOf(path))
        .map((it) => (it.type === 'progress' ? it.through : undefined))
        .find((it) => it !== undefined);
    expect(
      await throughOf(
        folderOf({
          'pods.json': kubectlList([podOf('a')]),
          'vpcs.json': kubectlList([vpcFixture('v')]),
        }),
      ),
    ).toBe('2026-11-21T08:00:00.000Z');
    expect(
      await throughOf(
        folderOf({
          'kubernetes.json': kubectlList([podOf('a')]),
          'listed.json': listedOf({ Pod: 1 }, { asOf: '2026-11-21T10:00:00+01:00' }),
        }),
      ),
    ).toBe('2026-11-21T09:00:00.000Z');
    const empty = folderOf({ 'pods.json': kubectlList([]) });
    expect(await throughOf(empty)).toBe(statSync(join(empty, 'pods.json')).mtime.toISOString());
  });

  const same = async (files: Record<string, string>): Promise<void> => {
    const expected = await observationsOf(leaky);
    const observations = await observationsOf(folderOf({ ...files, 'listed.json': leakyListed }));
    expect(objectsIn(observations)).toEqual(objectsIn(expected));
    expect(verdictsIn(observations)).toEqual(verdictsIn(expected));
  };

  it('reads the same from one object a line, pretty-printed, with CRLF, with a BOM, from YAML and from several lists', async () => {
    await same({ 'kubernetes.ndjson': leakyItems.map((it) => JSON.stringify(it)).join('\n') });
    await same({ 'kubernetes.json': kubectlList(leakyItems) });
    await same({ 'kubernetes.json': kubectlList(leakyItems).replaceAll('\n', '\r\n') });
    await same({ 'kubernetes.json': `\uFEFF${leakyText}` });
    await same({
      'kubernetes.yaml': `\uFEFFapiVersion: v1\n${stringify({ items: leakyItems }, { indentSeq: false, lineWidth: 80 })}kind: List\nmetadata:\n  resourceVersion: ""\n`,
    });
    await same({
      'kubernetes.json': `${kubectlList(leakyItems.slice(0, 100))}\n${kubectlList(leakyItems.slice(100))}`,
    });
    const typed = (kind: string): string => {
      const items = leakyItems
        .filter((it) => it.kind === kind)
        .map(({ apiVersion: _version, kind: _kind, ...it }) => it);
      return JSON.stringify({
        kind: `${kind}List`,
        apiVersion: leakyItems.find((it) => it.kind === kind)?.apiVersion,
        metadata: { resourceVersion: '1500' },
        items,
      });
    };
    await same({
      'kubernetes.json': [...new Set(leakyItems.map((it) => it.kind))].map(typed).join(''),
    });
  });

  it('learns the kind of a typed list that names it only after its items', async () => {
    const items = [{ metadata: { name: 'a', namespace: 'shop', uid: 'u' } }];
    const observations = await observationsOf(
      folderOf({
        'kubernetes.json': `${kubectlList([vpcFixture('v')])}${JSON.stringify({ apiVersion: 'v1', items, kind: 'PodList', metadata: {} })}`,
        'listed.json': listedOf({ Pod: 1 }),
      }),
    );
    expect(namesOf(observations, 'Pod')).toEqual(['a']);
    expect(verdictsIn(observations).get('Pod')).toBe('complete');
  });

  it('takes nothing for complete in a single list without listed.json', async () => {
    const observations = await observationsOf(
      join(folderOf({ 'dump.json': leakyText }), 'dump.json'),
    );
    expect(new Set(verdictsIn(observations).values())).toEqual(new Set(['not-listed']));
    expect(namesOf(observations, 'Pod').length).toBe(58);
    expect(detailOf(observations, 'Pod')).toContain('listed.json');
  });

  it('takes nothing for complete when the recording says it was not finished', async () => {
    const observations = await observationsOf(
      folderOf({
        'kubernetes.json': leakyText,
        'listed.json': leakyListed.replace('"complete": true', '"complete": false'),
      }),
    );
    expect(new Set(verdictsIn(observations).values())).toEqual(new Set(['not-listed']));
  });

  it('reports a count that does not agree, for that kind only', async () => {
    const without = leakyItems.filter(
      (it) => it.metadata.name !== leakyItems.find((item) => item.kind === 'IP')?.metadata.name,
    );
    const observations = await observationsOf(
      folderOf({ 'kubernetes.json': kubectlList(without), 'listed.json': leakyListed }),
    );
    expect(verdictsIn(observations).get('IP')).toBe('broken');
    expect(detailOf(observations, 'IP')).toContain('79');
    expect(verdictsIn(observations).get('Pod')).toBe('complete');
  });

  it('reports a kind that is listed but missing from the dump', async () => {
    const observations = await observationsOf(
      folderOf({
        'kubernetes.json': kubectlList(leakyItems.filter((it) => it.kind !== 'Subnet')),
        'listed.json': leakyListed,
      }),
    );
    expect(verdictsIn(observations).get('Subnet')).toBe('broken');
  });

  it('ignores a kind of the same name in another API group', async () => {
    const foreign = {
      apiVersion: 'serving.knative.dev/v1',
      kind: 'Service',
      metadata: { name: 'x', namespace: 'shop', uid: 'u' },
    };
    const observations = await observationsOf(
      folderOf({
        'kubernetes.json': kubectlList([foreign]),
        'listed.json': listedOf({ Service: 0 }),
      }),
    );
    expect(namesOf(observations, 'Service')).toEqual([]);
    expect(verdictsIn(observations).get('Service')).toBe('complete');
  });

  it('ends when the signal fires, and settles nothing', async () => {
    const types: string[] = [];
    const abort = new AbortController();
    for await (const batch of kubernetesRecording({ path: leaky, replay: 'final' }).observe(
      abort.signal,
    )) {
      types.push(...batch.map((it) => it.type));
      abort.abort();
    }
    expect(new Set(types)).toEqual(new Set(['begin']));
  });
});

describe('kubernetesRecording, one broken object', () => {
  const planted: [string, (pod: Record<string, unknown>) => unknown, string][] = [
    ['without uid', (it) => ({ ...it, metadata: { name: 'b', namespace: 'shop' } }), 'Pod shop/b'],
    [
      'with annotations that are a list',
      (it) => ({ ...it, metadata: { ...(it['metadata'] as object), annotations: ['x'] } }),
      'metadata.annotations',
    ],
    ['of another version', (it) => ({ ...it, apiVersion: 'v2' }), 'v2'],
    [
      'whose uid another has',
      (it) => ({ ...it, metadata: { ...(it['metadata'] as object), uid: 'uid-a' } }),
      'twice',
    ],
    [
      'whose name another has',
      (it) => ({ ...it, metadata: { name: 'a', namespace: 'shop', uid: 'other' } }),
      'twice',
    ],
  ];
  it.each(planted)('%s: its kind is broken, the others go on', async (_name, plant, reported) => {
    const list = kubectlList([
      podOf('a'),
      plant(podOf('b') as Record<string, unknown>),
      podOf('c'),
      vpcFixture('v'),
    ]);
    const observations = await observationsOf(
      folderOf({
        'kubernetes.json': list,
        'listed.json': listedOf({ Pod: 3, 'kubeovn.io/v1 Vpc': 1 }),
      }),
    );
    expect(verdictsIn(observations).get('Pod')).toBe('broken');
    expect(detailOf(observations, 'Pod')).toContain(reported);
    expect(detailOf(observations, 'Pod')).toContain('kubernetes.json, .items[1]');
    expect(namesOf(observations, 'Pod')).toEqual(['a', 'c']);
    expect(verdictsIn(observations).get('Vpc')).toBe('complete');
  });

  it('that is no JSON is held against the kinds it may have been, in a list, by line and in a file of its kind', async () => {
    const bad = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":tru}}';
    const files = [
      {
        'kubernetes.json': `{"kind":"List","items":[${bad},${JSON.stringify(vpcFixture('v'))}]}`,
        'listed.json': listedOf({ Pod: 1, 'kubeovn.io/v1 Vpc': 1 }),
      },
      {
        'kubernetes.ndjson': `${bad}\n${JSON.stringify(vpcFixture('v'))}`,
        'listed.json': listedOf({ Pod: 1, 'kubeovn.io/v1 Vpc': 1 }),
      },
      {
        'pods.json': `{"kind":"List","items":[{"metadata":{"name":tru}}]}`,
        'vpcs.json': kubectlList([vpcFixture('v')]),
      },
    ];
    for (const folder of files) {
      const verdicts = verdictsIn(await observationsOf(folderOf(folder)));
      expect([verdicts.get('Pod'), verdicts.get('Vpc')]).toEqual(['broken', 'complete']);
    }
  });

  it('that gives no hint of its kind is held against all', async () => {
    const observations = await observationsOf(
      folderOf({
        'kubernetes.json': '{"kind":"List","items":[{"oops":tru}]}',
        'listed.json': listedOf({ Pod: 0 }),
      }),
    );
    expect(new Set(verdictsIn(observations).values())).toEqual(new Set(['broken']));
  });

  it('is reported without quoting what stands there', async () => {
    for (const [file, text] of [
      ['pods.json', '{"kind":"List","items":[{"password":hunter2}]}'],
      ['pods.yaml', 'items:\n- password: [hunter2\nkind: List\n'],
    ] as const) {
      const observations = await observationsOf(folderOf({ [file]: text }));
      expect(verdictsIn(observations).get('Pod')).toBe('broken');
      expect(JSON.stringify(observations)).not.toContain('hunter');
    }
    const list = await failureOf(
      observationsOf(folderOf({ 'pods.json': '{"password":hunter2,"items":[]}' })),
    );
    expect(list.message).not.toContain('hunter');
  });

  it('without a kind in a list is held against all', async () => {
    const observations = await observationsOf(
      folderOf({
        'kubernetes.json': kubectlList([{ metadata: {} }]),
        'listed.json': listedOf({ Pod: 0 }),
      }),
    );
    expect(new Set(verdictsIn(observations).values())).toEqual(new Set(['broken']));
  });
});

describe('kubernetesRecording, a file per kind', () => {
  it('takes each list for complete, an empty one too, and says what it has no file for', async () => {
    const observations = await observationsOf(
      folderOf({
        'pods.json': kubectlList([podOf('a')], { metadata: { resourceVersion: '42' } }),
        'IP.json': kubectlList([]),
        'vpcs.kubeovn.io.yaml': `items:\n- ${JSON.stringify(vpcFixture('v'))}\nkind: List\n`,
        'secrets.json': kubectlList([
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 's', namespace: 'shop', uid: 'u' },
          },
        ]),
        'README.md': 'notes',
      }),
    );
    const verdicts = verdictsIn(observations);
    expect(['Pod', 'IP', 'Vpc', 'Subnet'].map((it) => verdicts.get(it))).toEqual([
      'complete',
      'complete',
      'complete',
      'not-listed',
    ]);
    expect(observations).toContainEqual({
      type: 'complete',
      stream: 'kubernetes/Pod',
      kinds: ['Pod'],
      cursor: '42',
    });
    expect(detailOf(observations, 'Subnet')).toContain('subnets.kubeovn.io.json');
    expect(objectsIn(observations).length).toBe(2);
  });

  it('reports a kind the cluster does not serve, when the definitions are all there', async () => {
    const definitions = leakyItems.filter(
      (item) =>
        item.kind === 'CustomResourceDefinition' &&
        item.metadata.name !== 'virtualmachines.kubevirt.io',
    );
    const verdicts = verdictsIn(
      await observationsOf(
        folderOf({
          'customresourcedefinitions.json': kubectlList(definitions),
          'virtualmachines.json': '',
        }),
      ),
    );
    expect(
      ['VirtualMachine', 'VirtualMachineInstance', 'Pod'].map((it) => verdicts.get(it)),
    ).toEqual(['not-served', 'not-listed', 'not-listed']);
    const partly = verdictsIn(
      await observationsOf(folderOf({ 'kubernetes.json': kubectlList(definitions) })),
    );
    expect(partly.get('VirtualMachine')).toBe('not-listed');
  });

  it.each<[string, string, string]>([
    ['an empty file', '', 'empty'],
    [
      'a page of a list',
      kubectlList([podOf('a')], { metadata: { continue: 'token' } }),
      'metadata.continue',
    ],
    ['objects without a list', JSON.stringify(podOf('a')), 'no list'],
    [
      'YAML that may have been cut off',
      `kind: List\nitems:\n- ${JSON.stringify(podOf('a'))}\n`,
      'cut off',
    ],
  ])('does not take %s for complete', async (_name, content, reported) => {
    const observations = await observationsOf(
      folderOf({ 'pods.json': content, 'vpcs.json': kubectlList([]) }),
    );
    expect(verdictsIn(observations).get('Pod')).toBe('not-listed');
    expect(detailOf(observations, 'Pod')).toContain(reported);
    expect(verdictsIn(observations).get('Vpc')).toBe('complete');
  });

  it.each<[string, string]>([
    ['an object of another kind', kubectlList([podOf('a'), vpcFixture('v')])],
    [
      'a list of another kind',
      JSON.stringify({ kind: 'ServiceList', apiVersion: 'v1', metadata: {}, items: [] }),
    ],
    [
      'an answer of the API server that is no list',
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure' }),
    ],
  ])('refuses %s', async (_name, content) => {
    const failure = await failureOf(observationsOf(folderOf({ 'pods.json': content })));
    expect(failure.code).toBe('input-not-a-dump');
    expect(failure.message).toContain('pods.json should hold Pod');
  });
});

describe('kubernetesRecording, files that cannot be read', () => {
  it.each<[string, Record<string, string | Buffer>, string]>([
    ['a truncated dump', { 'kubernetes.json': leakyText.slice(0, 200_000) }, 'input-truncated'],
    ['an empty dump', { 'kubernetes.json': ' \n' }, 'input-truncated'],
    [
      'a truncated line',
      { 'kubernetes.ndjson': `${JSON.stringify(podOf('a'))}\n{"apiVersion":` },
      'input-truncated',
    ],
    [
      'prose',
      { 'kubernetes.json': 'error: You must be logged in to the server' },
      'input-not-a-dump',
    ],
    ['another JSON', { 'kubernetes.json': '{"name":"ovn-steward"}' }, 'input-not-a-dump'],
    ['a bare array', { 'kubernetes.json': '[{}]' }, 'input-not-a-dump'],
    [
      'a database file',
      { 'kubernetes.json': readFileSync(join(leaky, 'nb.db')) },
      'input-not-a-dump',
    ],
    [
      'UTF-16',
      { 'kubernetes.json': Buffer.from(`\uFEFF${leakyText}`, 'utf16le') },
      'input-not-a-dump',
    ],
    [
      'a recorded watch named as a dump',
      { 'kubernetes.ndjson': readFileSync(join(leaky, 'watch.ndjson')) },
      'input-not-a-dump',
    ],
    ['a folder without a dump', { 'nb.db': 'x' }, 'input-not-a-dump'],
    [
      'two dumps',
      { 'kubernetes.json': leakyText, 'pods.json': kubectlList([]) },
      'input-not-a-dump',
    ],
    ['two files of a kind', { 'pods.json': kubectlList([]), 'Pod.yaml': 'x' }, 'input-not-a-dump'],
    [
      'a listed.json that is no JSON',
      { 'kubernetes.json': leakyText, 'listed.json': '{' },
      'input-unreadable',
    ],
    [
      'a listed.json of another shape',
      {
        'kubernetes.json': leakyText,
        'listed.json': '{"complete":true,"kinds":[{"kind":"Pod","apiVersion":"v1","count":-1}]}',
      },
      'input-unreadable',
    ],
    [
      'a listed.json that contradicts itself',
      {
        'kubernetes.json': leakyText,
        'listed.json':
          '{"complete":true,"kinds":[{"kind":"Pod","apiVersion":"v1","count":1},{"kind":"Pod","apiVersion":"v1","count":2}]}',
      },
      'input-unreadable',
    ],
  ])('%s', async (_name, files, code) => {
    expect((await failureOf(observationsOf(folderOf(files)))).code).toBe(code);
  });

  it('a path that does not exist', async () => {
    expect((await failureOf(observationsOf(join(folderOf({}), 'nowhere')))).code).toBe(
      'input-not-found',
    );
  });

  it('no watch to replay, and a watch that is not a dump', async () => {
    expect(
      (await failureOf(observationsOf(folderOf({ 'kubernetes.json': leakyText }), 'watch'))).code,
    ).toBe('input-not-found');
    expect((await failureOf(observationsOf(join(leaky, 'watch.ndjson')))).code).toBe(
      'input-not-a-dump',
    );
  });
});
