import {
  type Requested,
  type ScriptedAnswer,
  type ScriptedApi,
  scriptedApi,
  status,
} from '../testing/scripted-api';
import type { Kubernetes, ObjectVersion } from './kubernetes';
import { liveKubernetes } from './live-kubernetes';

const signal = new AbortController().signal;
const IPS = '/apis/kubeovn.io/v1/ips';
const VERSION: ObjectVersion = { kind: 'IP', name: 'x', uid: 'u', resourceVersion: '7' };
const POD: ObjectVersion = {
  kind: 'Pod',
  namespace: 'shop',
  name: 'p',
  uid: 'u',
  resourceVersion: '7',
};
const ip = (metadata: Readonly<Record<string, unknown>> = {}) => ({
  apiVersion: 'kubeovn.io/v1',
  kind: 'IP',
  metadata: { name: 'x', uid: 'u', resourceVersion: '7', ...metadata },
});
const notFound = (name: string, kind: string) => status('NotFound', { name, kind });
const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });

let api: ScriptedApi;
let kubernetes: Kubernetes;
beforeEach(async () => {
  api = await scriptedApi();
  kubernetes = liveKubernetes({ access: api.access, timeoutMs: 60_000 });
});
/** One that soon gives up, for silence. A second, in which a busy machine makes a connection. */
const impatient = async (): Promise<void> => {
  await kubernetes.close();
  kubernetes = liveKubernetes({ access: api.access, timeoutMs: 1000 });
};
afterEach(async () => {
  await kubernetes.close();
  api.stop();
});
const says = (code: number, body: unknown): void => {
  api.answer = () => [code, body];
};
const byPath = (paths: Readonly<Record<string, ScriptedAnswer>>): void => {
  api.answer = ({ url }) => paths[url.split('?')[0]!] ?? [404, '404 page not found'];
};

describe('an answer that is no absence', () => {
  test.each<[string, number, unknown, string]>([
    ["a proxy's 404", 404, '<html>', 'source-not-served'],
    [
      'the 404 of a resource',
      404,
      status('NotFound', {}, 'the server could not find the requested resource'),
      'source-not-served',
    ],
    ['the 404 of another object', 404, notFound('y', 'ips'), 'source-not-served'],
    ['the 404 of another kind', 404, notFound('x', 'vips'), 'source-not-served'],
    [
      'a 404 with another reason',
      404,
      status('Unknown', { name: 'x', kind: 'ips' }),
      'source-not-served',
    ],
    ['403', 403, status('Forbidden', { name: 'x', kind: 'ips' }), 'source-forbidden'],
    ['429', 429, 'later', 'source-unreachable'],
    ['500', 500, notFound('x', 'ips'), 'source-unreachable'],
    ['503', 503, '', 'source-unreachable'],
    ['302', 302, '', 'source-broken'],
    ['a 200 of nothing', 200, '', 'source-broken'],
    ['a 200 of null', 200, 'null', 'source-broken'],
    ['a 200 of a Status', 200, notFound('x', 'ips'), 'source-broken'],
    ['another object', 200, ip({ name: 'y' }), 'source-broken'],
    ['an object of another kind', 200, { ...ip(), kind: 'Vip' }, 'source-broken'],
    ['an object without its uid', 200, ip({ uid: undefined }), 'source-broken'],
    ['an object without its resourceVersion', 200, ip({ resourceVersion: '' }), 'source-broken'],
    [
      'an object in a namespace, of a kind that has none',
      200,
      ip({ namespace: 'shop' }),
      'source-broken',
    ],
    ['an object whose finalizers are no list', 200, ip({ finalizers: 'x' }), 'source-broken'],
  ])('%s', async (_name, code, body, is) => {
    says(code, body);
    await expect(kubernetes.get('IP', undefined, 'x', signal)).rejects.toEqual(failure(is));
  });

  test('silence, and a connection that breaks', async () => {
    await impatient();
    for (const said of ['silence', 'break', 'half'] as const) {
      api.answer = () => said;
      await expect(kubernetes.get('IP', undefined, 'x', signal)).rejects.toEqual(
        failure('source-unreachable'),
      );
      await expect(kubernetes.list('IP', undefined, signal)).rejects.toEqual(
        failure('source-unreachable'),
      );
    }
  });

  test('a pod of another namespace', async () => {
    says(200, {
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'other', uid: 'u', resourceVersion: '1' },
    });
    await expect(kubernetes.get('Pod', 'shop', 'p', signal)).rejects.toEqual(
      failure('source-broken'),
    );
  });

  test.each(['', '.', '..', 'a/b', 'a%2fb'])(
    'a name that cannot be one is not asked for: %j',
    async (name) => {
      await expect(kubernetes.get('IP', undefined, name, signal)).rejects.toEqual(
        failure('object-malformed'),
      );
      await expect(kubernetes.delete({ ...VERSION, name }, signal)).rejects.toEqual(
        failure('object-malformed'),
      );
      expect(api.asked).toEqual([]);
    },
  );

  test.each(['Secret', '__proto__', ''])(
    'a kind nobody reads is not asked for: %j',
    async (kind) => {
      await expect(kubernetes.get(kind, undefined, 'x', signal)).rejects.toEqual(
        failure('source-not-served'),
      );
      expect(api.asked).toEqual([]);
    },
  );
});

describe('where kinds are served', () => {
  const moved = (version: string): Record<string, ScriptedAnswer> => ({
    '/apis/kubeovn.io': [
      200,
      { kind: 'APIGroup', preferredVersion: { version }, versions: [{ version }] },
    ],
    [`/apis/kubeovn.io/${version}`]: [
      200,
      { kind: 'APIResourceList', resources: [{ name: 'ips', kind: 'IP' }] },
    ],
    [`/apis/kubeovn.io/${version}/ips/x`]: [200, ip()],
    [`/apis/kubeovn.io/${version}/ips/y`]: [404, notFound('y', 'ips')],
    [`/apis/kubeovn.io/${version}/ips`]: [
      200,
      { kind: 'IPList', metadata: { resourceVersion: '1' }, items: [] },
    ],
  });

  test('the version the cluster has is taken, then kept', async () => {
    byPath(moved('v2'));
    expect((await kubernetes.get('IP', undefined, 'x', signal))?.metadata.name).toBe('x');
    expect(await kubernetes.get('IP', undefined, 'y', signal)).toBeUndefined();
    expect(api.asked.filter((it) => it.url.includes('/v1/'))).toHaveLength(1);
    expect(await kubernetes.list('IP', undefined, signal)).toEqual([]);
    expect(await kubernetes.serves('IP', signal)).toBe('served');
    byPath(moved('v3'));
    expect((await kubernetes.get('IP', undefined, 'x', signal))?.metadata.name).toBe('x');
  });

  test('a version that is listed and does not answer is asked for once', async () => {
    const { '/apis/kubeovn.io/v1/ips/x': _, ...others } = moved('v1');
    byPath(others);
    await expect(kubernetes.get('IP', undefined, 'x', signal)).rejects.toEqual(
      failure('source-not-served'),
    );
    expect(api.asked.filter((it) => it.url === `${IPS}/x`)).toHaveLength(1);
  });

  test('a definition that is there and not served is no answer', async () => {
    byPath({ '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ips.kubeovn.io': [200, {}] });
    await expect(kubernetes.serves('IP', signal)).rejects.toEqual(failure('source-not-served'));
  });

  test.each<[string, ScriptedAnswer]>([
    ['a proxy', [404, 'not here']],
    ['somebody who may not read', [403, status('Forbidden')]],
  ])('%s does not say that it is not installed', async (_name, said) => {
    byPath({ '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ips.kubeovn.io': said });
    await expect(kubernetes.serves('IP', signal)).rejects.toMatchObject({ name: 'Failure' });
  });

  test('the server says that there is no definition', async () => {
    byPath({
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ips.kubeovn.io': [
        404,
        notFound('ips.kubeovn.io', 'customresourcedefinitions'),
      ],
    });
    expect(await kubernetes.serves('IP', signal)).toBe('not-installed');
  });

  test("a kind of the server's own is not installed when its group lists others only", async () => {
    byPath({
      '/apis/networking.k8s.io/v1': [
        200,
        { kind: 'APIResourceList', resources: [{ name: 'ingresses', kind: 'Ingress' }] },
      ],
    });
    expect(await kubernetes.serves('NetworkPolicy', signal)).toBe('not-installed');
    byPath({ '/apis/networking.k8s.io/v1': [200, { kind: 'APIResourceList' }] });
    await expect(kubernetes.serves('NetworkPolicy', signal)).rejects.toEqual(
      failure('source-not-served'),
    );
  });
});

describe('lists', () => {
  const page = (resourceVersion: string, token: string, ...names: string[]): ScriptedAnswer => [
    200,
    {
      kind: 'IPList',
      metadata: { resourceVersion, ...(token && { continue: token, remainingItemCount: 5 }) },
      items: names.map((name) => ({ metadata: { name, uid: name, resourceVersion: '1' } })),
    },
  ];
  const names = async () =>
    (await kubernetes.list('IP', undefined, signal)).map((it) => it.metadata.name);
  const script = (...said: ScriptedAnswer[]): void => {
    api.answer = () => said.shift() ?? [500, ''];
  };

  test('are read page by page, of one state', async () => {
    script(page('9', 'more', 'a', 'b'), page('9', '', 'c'));
    expect(await names()).toEqual(['a', 'b', 'c']);
    expect(api.asked.map((it) => it.url)).toEqual([
      `${IPS}?limit=500`,
      `${IPS}?limit=500&continue=more`,
    ]);
  });

  test('begin again when the server cannot go on, or goes on with another', async () => {
    script(
      page('9', 'more', 'a'),
      [410, status('Expired')],
      page('10', 'more', 'b'),
      page('11', '', 'c'),
      page('12', '', 'd'),
    );
    expect(await names()).toEqual(['d']);
  });

  test('are a failure, never a part, when that does not end or a page fails', async () => {
    script(
      page('9', 'more', 'a'),
      [410, status('Expired')],
      page('9', 'more', 'a'),
      [410, status('Expired')],
      page('9', 'more', 'a'),
      [410, status('Expired')],
    );
    await expect(names()).rejects.toEqual(failure('source-expired'));
    script(page('9', 'more', 'a'), [503, '']);
    await expect(names()).rejects.toEqual(failure('source-unreachable'));
    script([
      200,
      { kind: 'IPList', metadata: { resourceVersion: '1' }, items: [{ metadata: { name: 'x' } }] },
    ]);
    await expect(names()).rejects.toEqual(failure('source-broken'));
    script([
      200,
      { kind: 'IPList', metadata: { resourceVersion: '1' }, items: [{ ...ip(), kind: 'Vip' }] },
    ]);
    await expect(names()).rejects.toEqual(failure('source-broken'));
  });

  test('are counted by one object and what the server says of the rest', async () => {
    script(page('9', 'more', 'a'), page('9', '', 'a'), page('9', ''), [
      200,
      { kind: 'IPList', metadata: { resourceVersion: '9', continue: 'more' }, items: [] },
    ]);
    expect([
      await kubernetes.count('IP', signal),
      await kubernetes.count('IP', signal),
      await kubernetes.count('IP', signal),
      await kubernetes.count('IP', signal),
    ]).toEqual([6, 1, 0, undefined]);
  });
});

describe('what is sent', () => {
  const sent = (): Requested => api.asked.at(-1)!;

  test('delete: by uid and resourceVersion', async () => {
    says(200, { kind: 'Status', status: 'Success' });
    expect(await kubernetes.delete(VERSION, signal)).toEqual({ is: 'gone' });
    expect(sent()).toEqual({
      method: 'DELETE',
      url: `${IPS}/x`,
      type: 'application/json',
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: 'u', resourceVersion: '7' },
        propagationPolicy: 'Background',
      },
    });
  });

  test('patch: the version is tested first', async () => {
    says(200, ip());
    await kubernetes.patch(VERSION, [{ op: 'remove', path: '/metadata/labels' }], signal);
    expect(sent()).toMatchObject({
      method: 'PATCH',
      type: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/metadata/uid', value: 'u' },
        { op: 'test', path: '/metadata/resourceVersion', value: '7' },
        { op: 'remove', path: '/metadata/labels' },
      ],
    });
  });

  test('evict: by uid and resourceVersion', async () => {
    says(201, { kind: 'Status', status: 'Success' });
    expect(await kubernetes.evict(POD, signal)).toEqual({ is: 'terminating' }); // nothing says that it is gone
    expect(api.asked[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/namespaces/shop/pods/p/eviction',
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'p', namespace: 'shop' },
        deleteOptions: { preconditions: { uid: 'u', resourceVersion: '7' } },
      },
    });
    expect(await kubernetes.evict(VERSION, signal)).toMatchObject({
      is: 'refused',
      why: 'invalid',
    });
  });

  test('writeEvent: a note of at most 1024 bytes, cut between characters, under a name that says the same of the same', async () => {
    says(201, {});
    const event = {
      regarding: { kind: 'IP', name: `${'x'.repeat(199)}.y`, uid: 'u' },
      type: 'Warning',
      reason: 'Refused',
      action: 'DeleteIp',
      note: `${'a'.repeat(1023)}é`,
    } as const;
    expect(await kubernetes.writeEvent(event, signal)).toBe(true);
    expect(sent()).toMatchObject({
      method: 'POST',
      url: '/apis/events.k8s.io/v1/namespaces/default/events',
      body: {
        note: 'a'.repeat(1023),
        reportingController: 'ovn-steward.dev/executor',
        reportingInstance: expect.stringMatching(/./),
        regarding: { apiVersion: 'kubeovn.io/v1', kind: 'IP', uid: 'u' },
        metadata: { name: expect.stringMatching(/^x{199}\.[0-9a-f]{16}$/) },
      },
    });
    await kubernetes.writeEvent(event, signal);
    await kubernetes.writeEvent({ ...event, note: `${event.note}!` }, signal);
    const nameOf = (it: Requested) => (it.body as { metadata: { name: string } }).metadata.name;
    expect(new Set(api.asked.map(nameOf)).size).toBe(2);
    says(409, status('AlreadyExists'));
    expect(await kubernetes.writeEvent(event, signal)).toBe(true);
    says(403, status('Forbidden'));
    expect(await kubernetes.writeEvent(event, signal)).toBe(false);
    expect(
      await kubernetes.writeEvent(
        { ...event, regarding: { ...event.regarding, kind: 'Secret' } },
        signal,
      ),
    ).toBe(false);
  });
});

describe('what became of it', () => {
  const act: Readonly<Record<string, () => Promise<unknown>>> = {
    delete: () => kubernetes.delete(VERSION, signal),
    evict: () => kubernetes.evict(POD, signal),
    patch: () => kubernetes.patch(VERSION, [], signal),
    create: () => kubernetes.create('IP', ip(), signal),
  };
  const verbs = Object.keys(act);

  test.each(
    verbs.flatMap((verb) =>
      (['silence', 'break', 'half'] as const).map((said) => [verb, said] as const),
    ),
  )('%s: %s leaves it unknown', async (verb, said) => {
    if (said === 'silence') await impatient();
    api.answer = () => said;
    await expect(act[verb]!()).rejects.toEqual(failure('outcome-unknown'));
  });

  test.each(
    verbs.flatMap((verb) =>
      (
        [
          [500, status('InternalError')],
          [502, '<html>'],
          [504, status('Timeout')],
        ] as const
      ).map(([code, body]) => [verb, code, body] as const),
    ),
  )("%s: an error of the server's own (%i) leaves it unknown", async (verb, code, body) => {
    says(code, body);
    await expect(act[verb]!()).rejects.toEqual(failure('outcome-unknown'));
  });

  test.each(verbs)('%s: a success that does not say of what leaves it unknown', async (verb) => {
    says(200, '<html>');
    await expect(act[verb]!()).rejects.toEqual(failure('outcome-unknown'));
  });

  test.each(verbs)('%s: an answer that is not about this changes nothing', async (verb) => {
    says(404, '404 page not found');
    await expect(act[verb]!()).rejects.toEqual(failure('source-not-served'));
    says(429, 'Too many requests');
    await expect(act[verb]!()).rejects.toEqual(failure('source-unreachable'));
    says(401, status('Unauthorized'));
    await expect(act[verb]!()).rejects.toEqual(failure('source-refused'));
    says(302, '');
    await expect(act[verb]!()).rejects.toEqual(failure('source-broken'));
  });

  test.each(verbs)('%s: nothing was sent to a server that is not there', async (verb) => {
    api.stop();
    await expect(act[verb]!()).rejects.toEqual(failure('source-unreachable'));
  });

  test.each(verbs)('%s: forbidden, and refused', async (verb) => {
    says(403, status('Forbidden', {}, 'no, no'));
    expect(await act[verb]!()).toEqual({ is: 'refused', why: 'forbidden', message: 'no, no' });
    says(400, status('BadRequest'));
    expect(await act[verb]!()).toMatchObject({ is: 'refused', why: 'invalid' });
    says(409, status('Conflict'));
    expect(await act[verb]!()).toMatchObject({ is: 'refused', why: 'conflict' });
  });

  test('delete: what was deleted may wait for finalizers or a kubelet', async () => {
    says(200, ip({ deletionTimestamp: 't', finalizers: ['f'] }));
    expect(await kubernetes.delete(VERSION, signal)).toEqual({ is: 'terminating' });
    says(200, ip({ deletionTimestamp: 't', deletionGracePeriodSeconds: 30 }));
    expect(await kubernetes.delete(VERSION, signal)).toEqual({ is: 'terminating' });
    says(200, ip({ deletionTimestamp: 't', deletionGracePeriodSeconds: 0 }));
    expect(await kubernetes.delete(VERSION, signal)).toEqual({ is: 'gone' });
    says(404, notFound('x', 'ips'));
    expect(await kubernetes.delete(VERSION, signal)).toEqual({ is: 'gone' });
  });

  test('evict: a budget says so itself', async () => {
    says(429, status('TooManyRequests', { causes: [{ reason: 'DisruptionBudget' }] }));
    expect(await kubernetes.evict(POD, signal)).toMatchObject({ is: 'refused', why: 'blocked' });
  });

  test('patch: what cannot be applied to an object that has moved is a conflict', async () => {
    for (const [now, why] of [
      [ip({ resourceVersion: '8' }), 'conflict'],
      [ip({ uid: 'other' }), 'conflict'],
      [ip(), 'invalid'],
    ] as const) {
      api.answer = ({ method }) => (method === 'PATCH' ? [422, status('Invalid')] : [200, now]);
      expect(await kubernetes.patch(VERSION, [], signal)).toMatchObject({ is: 'refused', why });
    }
  });

  test('create: only AlreadyExists is a namesake', async () => {
    says(409, status('AlreadyExists', { name: 'x', kind: 'ips' }));
    expect(await kubernetes.create('IP', ip(), signal)).toMatchObject({
      is: 'refused',
      why: 'exists',
    });
  });
});

test('who answers is asked over a connection of its own, as a write has one', async () => {
  const namespace = { name: 'kube-system', uid: 'one', resourceVersion: '1' };
  says(200, { apiVersion: 'v1', kind: 'Namespace', metadata: namespace });
  const system = () => kubernetes.get('Namespace', undefined, 'kube-system', signal);
  await system();
  await system();
  const kept = api.ports.at(-1);
  expect(api.ports).toEqual([kept, kept]);
  expect([await kubernetes.identity(signal), await kubernetes.identity(signal)]).toEqual([
    'one',
    'one',
  ]);
  expect(new Set(api.ports).size).toBe(3);
});

test('a server without the namespace by which a cluster is known is no cluster', async () => {
  says(404, notFound('kube-system', 'namespaces'));
  await expect(kubernetes.identity(signal)).rejects.toEqual(failure('source-broken'));
});
