import type { Kubernetes, FollowEvent, KubernetesObject } from './kubernetes';
import type { StartedKubernetes } from './kubernetes.contract';

const vpc = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'kubeovn.io/v1',
  kind: 'Vpc',
  metadata: { name, labels },
  spec: {},
});

/** What `follow` keeps, of every {@link Kubernetes}. */
export function describeFollowing(
  name: string,
  start: () => Promise<
    Pick<StartedKubernetes, 'kubernetes' | 'put' | 'as' | 'notInstalled' | 'stop'>
  >,
): void {
  describe(name, () => {
    let cluster: Awaited<ReturnType<typeof start>>;
    let kubernetes: Kubernetes;
    const stop = new AbortController();
    beforeAll(async () => {
      cluster = await start();
      ({ kubernetes } = cluster);
    }, 180_000);
    afterAll(async () => {
      stop.abort();
      await cluster?.stop();
    });

    test('reports all there is, then what changes and what goes, and ends with the signal', async () => {
      await cluster.put(vpc('first'));
      const news = kubernetes.follow('Vpc', stop.signal)[Symbol.asyncIterator]();
      const events: FollowEvent[] = [];
      const next = async (): Promise<FollowEvent> => {
        while (events.length === 0)
          events.push(...((await news.next()).value as readonly FollowEvent[]));
        return events.shift()!;
      };
      expect(await next()).toMatchObject({ is: 'all', objects: [{ metadata: { name: 'first' } }] });
      const second = await cluster.put(vpc('second'));
      expect(await next()).toMatchObject({ is: 'now', object: { metadata: second.metadata } });
      const changed = await cluster.put(vpc('second', { a: 'b' }));
      expect(await next()).toMatchObject({
        is: 'now',
        object: {
          metadata: { resourceVersion: changed.metadata.resourceVersion, labels: { a: 'b' } },
        },
      });
      const { name: itsName, uid, resourceVersion } = changed.metadata;
      await kubernetes.delete({ kind: 'Vpc', name: itsName, uid, resourceVersion }, stop.signal);
      expect(await next()).toMatchObject({
        is: 'gone',
        object: { metadata: { name: 'second', uid } },
      });
      const last = news.next();
      stop.abort();
      expect((await last).done).toBe(true);
    });

    test('lists and follows of the pods those on no node yet', async () => {
      const pod = (pod: string, spec: object = {}) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: pod, namespace: 'shop' },
        spec: { containers: [{ name: 'main', image: 'example.com/main' }], ...spec },
      });
      await cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
      for (const each of [pod('waits'), pod('runs', { nodeName: 'node-1' })])
        await cluster.put(each);
      const { signal } = new AbortController();
      const names = (all: readonly KubernetesObject[]): string[] =>
        all.map((it) => it.metadata.name).sort();
      expect(names(await kubernetes.list('Pod', undefined, signal, 'unscheduled'))).toEqual([
        'waits',
      ]);
      expect(names(await kubernetes.list('Pod', 'shop', signal))).toEqual(['runs', 'waits']);
      const ended = new AbortController();
      const news = kubernetes.follow('Pod', ended.signal, 'unscheduled')[Symbol.asyncIterator]();
      expect((await news.next()).value).toMatchObject([
        { is: 'all', objects: [{ metadata: { name: 'waits' } }] },
      ]);
      ended.abort();
    });

    test('what is not served or may not be read is a failure', async () => {
      const { signal } = new AbortController();
      const first = (from: Kubernetes, kind: string) =>
        from.follow(kind, signal)[Symbol.asyncIterator]().next();
      await expect(first(kubernetes, cluster.notInstalled)).rejects.toMatchObject({
        code: 'source-not-served',
      });
      await expect(first(await cluster.as({ Lease: ['get'] }), 'Vpc')).rejects.toMatchObject({
        code: 'source-forbidden',
      });
    });
  });
}
