import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kubernetesKind, type KubernetesKind } from '@ovn-steward/shared/kinds';
import type { Observation } from '../../source-kit/source';
import { describeSource } from '../../source-kit/source.contract';
import { createKubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { createKubernetesSource } from './kubernetes-source';
import { FaultServer } from './testing/fault-server';

const kind = (name: string): KubernetesKind => kubernetesKind(name) as KubernetesKind;
const clientOf = (server: URL) =>
  createKubeClient({ server, authenticate: async () => {}, renew: () => {} });

describeSource('a Kubernetes source', async () => {
  const server = new FaultServer();
  const url = await server.start();
  for (let i = 0; i < 7; i += 1) server.put(`pod-${i}`);
  return {
    source: createKubernetesSource({
      client: clientOf(url),
      kinds: [kind('Pod')],
      timing: { pageSize: 3 },
    }),
    touched: () => server.asked.list + server.asked.watch,
    unreadable: async () => {
      const refusing = new FixedServer();
      refusing.answers.set('/api/v1/pods', 403);
      return {
        source: createKubernetesSource({
          client: clientOf(await refusing.start()),
          kinds: [kind('Pod')],
        }),
        close: async () => refusing.stop(),
      };
    },
    endless: true,
    close: () => server.stop(),
  };
});

/**
 * An API server with fixed answers by path; a number is a refusal, watches stay open and say
 * nothing but what `watches` sends.
 */
class FixedServer {
  readonly answers = new Map<string, unknown>();
  readonly #server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://server');
    const answer = this.answers.get(url.pathname) ?? 404;
    if (typeof answer === 'number') {
      response.statusCode = answer;
      response.end('{}');
    } else if (url.searchParams.has('watch')) {
      response.flushHeaders();
      this.watches.set(url.pathname, (event) => response.write(`${JSON.stringify(event)}\n`));
    } else {
      response.end(JSON.stringify(answer));
    }
  });
  readonly watches = new Map<string, (event: unknown) => void>();

  async start(): Promise<URL> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const listOf = (...items: unknown[]) => ({
  kind: 'AnyList',
  metadata: { resourceVersion: '10' },
  items,
});
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const crd = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'vips.kubeovn.io', uid: 'crd-1', resourceVersion: '11' },
  spec: {
    group: 'kubeovn.io',
    scope: 'Cluster',
    names: { kind: 'Vip', plural: 'vips' },
    versions: [],
  },
};
const vip = (apiVersion: string) => ({
  kind: 'Vip',
  apiVersion,
  metadata: { name: 'vip-1', uid: 'vip-1', resourceVersion: '9' },
  spec: {},
});

describe('kinds and their definitions', () => {
  let server: FixedServer;
  let stop: AbortController;
  beforeEach(() => {
    server = new FixedServer();
    stop = new AbortController();
    server.answers.set(CRDS, listOf());
  });
  afterEach(() => {
    stop.abort();
    server.stop();
  });

  /** Reads until an observation of Vip's stream satisfies, and returns it. */
  async function first(
    satisfies: (it: Observation) => boolean,
    then: (it: Observation) => void = () => {},
  ): Promise<Observation> {
    const source = createKubernetesSource({
      client: clientOf(await server.start()),
      kinds: [kind('CustomResourceDefinition'), kind('Vip')],
      timing: { slowRetry: 3600_000, backoff: { base: 5, max: 10 } },
    });
    for await (const batch of source.observe(stop.signal)) {
      for (const observation of batch) {
        then(observation);
        if (observation.stream === 'kubernetes/Vip' && satisfies(observation)) return observation;
      }
    }
    throw new Error('ended');
  }
  const unavailable = (it: Observation) => it.type === 'unavailable';

  test('a kind without definition is not served', async () => {
    expect(await first(unavailable)).toMatchObject({
      reason: 'not-served',
      detail: expect.stringContaining('no CustomResourceDefinition vips.kubeovn.io'),
    });
  });

  test('ends as it should when that is while it is found out whether a kind is served', async () => {
    const client = clientOf(await server.start());
    const source = createKubernetesSource({
      client: {
        ...client,
        get(path, signal) {
          if (path === '/apis/kubeovn.io') stop.abort();
          return client.get(path, signal);
        },
      },
      kinds: [kind('Vip')],
    });
    for await (const batch of source.observe(stop.signal)) expect(batch).toEqual([]);
    expect(stop.signal.aborted).toBe(true);
  });

  test('a kind that is defined and not served is distinguished', async () => {
    server.answers.set(`${CRDS}/vips.kubeovn.io`, crd);
    expect(await first(unavailable)).toMatchObject({
      reason: 'not-served',
      detail: expect.stringContaining('exists, but'),
    });
  });

  test('a kind whose definition we may not read is not said to be absent', async () => {
    server.answers.set(`${CRDS}/vips.kubeovn.io`, 403);
    expect(await first(unavailable)).toMatchObject({ reason: 'forbidden' });
  });

  test('a kind that is served in another version is read there', async () => {
    server.answers.set('/apis/kubeovn.io', {
      preferredVersion: { version: 'v3' },
      versions: [{ version: 'v3' }, { version: 'v2' }],
    });
    server.answers.set('/apis/kubeovn.io/v3', { resources: [{ name: 'subnets', kind: 'Subnet' }] });
    server.answers.set('/apis/kubeovn.io/v2', { resources: [{ name: 'vips', kind: 'Vip' }] });
    server.answers.set('/apis/kubeovn.io/v2/vips', listOf());
    expect(await first((it) => it.type === 'complete')).toMatchObject({ cursor: '10' });
  });

  test('objects of a version we have no projection for make it broken, not misread', async () => {
    server.answers.set('/apis/kubeovn.io', { versions: [{ version: 'v2' }] });
    server.answers.set('/apis/kubeovn.io/v2', { resources: [{ name: 'vips', kind: 'Vip' }] });
    server.answers.set('/apis/kubeovn.io/v2/vips', listOf(vip('kubeovn.io/v2')));
    expect(await first(unavailable)).toMatchObject({
      reason: 'broken',
      detail: expect.stringContaining('Vip vip-1'),
    });
  });

  test('a kind is read soon after its definition appeared', async () => {
    const done = await first(
      (it) => it.type === 'complete',
      (observation) => {
        if (observation.stream !== 'kubernetes/Vip' || observation.type !== 'unavailable') return;
        server.answers.set('/apis/kubeovn.io/v1/vips', listOf(vip('kubeovn.io/v1')));
        const defining = setInterval(() => {
          server.watches.get(CRDS)?.({ type: 'ADDED', object: crd });
          if (server.watches.has(CRDS)) clearInterval(defining);
        }, 5);
      },
    );
    expect(done).toMatchObject({ stream: 'kubernetes/Vip' });
  });
});

test('all kinds, many of them with many objects, at a few lists at a time', async () => {
  let running = 0;
  let most = 0;
  let isHeld = true;
  const held: (() => void)[] = [];
  const letGo = (): void => {
    isHeld = false;
    for (const answer of held.splice(0)) answer();
  };
  const slow = createServer((request, response) => {
    if (request.url?.includes('watch=1')) return void response.flushHeaders();
    running += 1;
    most = Math.max(most, running);
    const answer = (): void => {
      running -= 1;
      response.end(JSON.stringify(listOf()));
    };
    if (!isHeld) return void setTimeout(answer, 5);
    if (held.push(answer) === 4) setTimeout(letGo, 50); // time for a fifth
  });
  await new Promise<void>((ready) => slow.listen(0, '127.0.0.1', ready));
  const stop = new AbortController();
  const complete = new Set<string>();
  const source = createKubernetesSource({
    client: clientOf(new URL(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`)),
  });
  for await (const batch of source.observe(stop.signal)) {
    for (const it of batch) if (it.type === 'complete') complete.add(it.stream);
    if (complete.size === KUBERNETES_KINDS.length) stop.abort();
  }
  slow.closeAllConnections();
  slow.close();
  expect(most).toBe(4);
});
