import type { GivenObject } from '../testing/memory-objects';
import type { Kubernetes, KubernetesObject, ObjectVersion } from './kubernetes';

/** A cluster to try the contract on, and what others do in it. */
export interface StartedKubernetes {
  readonly kubernetes: Kubernetes;
  /** A kind that this cluster has no definition of. */
  readonly notInstalled: string;
  /** As somebody else: creates or replaces. */
  put(object: GivenObject): Promise<KubernetesObject>;
  /** As an account that may do this and nothing else. */
  as(
    allowed: Readonly<
      Record<string, readonly ('get' | 'list' | 'delete' | 'evict' | 'patch' | 'create')[]>
    >,
  ): Promise<Kubernetes>;
  /** As a client of whose next write the request or the reply is lost. */
  losing(what: 'lose-request' | 'lose-reply'): Kubernetes;
  /** A budget from now on allows no pod of the namespace to be evicted. */
  keepPods(namespace: string): Promise<void>;
  /** The notes of the events on the object of that name. */
  eventNotes(namespace: string, name: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const FINALIZER = 'kubeovn.io/kube-ovn-controller';
const signal = new AbortController().signal;

const ip = (name: string, more: Readonly<Record<string, unknown>> = {}): GivenObject => ({
  apiVersion: 'kubeovn.io/v1',
  kind: 'IP',
  metadata: { name, ...more },
  spec: { ipAddress: '10.16.0.9', subnet: 'apps' },
});
const pod = (name: string, spec: Readonly<Record<string, unknown>> = {}): GivenObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', labels: { app: name } },
  spec: { containers: [{ name: 'main', image: 'example.com/main' }], ...spec },
});
const lease = (name: string, namespace = 'shop'): GivenObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace },
  spec: {},
});

const versionOf = ({
  kind,
  metadata: { namespace, name, uid, resourceVersion },
}: KubernetesObject): ObjectVersion => ({
  kind: String(kind),
  ...(namespace !== undefined && { namespace }),
  name,
  uid,
  resourceVersion,
});

/** What every {@link Kubernetes} keeps. */
export function describeKubernetes(name: string, start: () => Promise<StartedKubernetes>): void {
  describe(name, () => {
    let cluster: StartedKubernetes;
    let kubernetes: Kubernetes;
    beforeAll(async () => {
      cluster = await start();
      ({ kubernetes } = cluster);
      await cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
      await cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kept' } });
    }, 180_000);
    afterAll(() => cluster?.stop());

    const now = (it: KubernetesObject): Promise<KubernetesObject | undefined> =>
      kubernetes.get(String(it['kind']), it.metadata.namespace, it.metadata.name, signal);

    describe('reading', () => {
      test('knows the cluster by the uid of its namespace kube-system', async () => {
        expect(await kubernetes.identity(signal)).toBe(
          (await kubernetes.get('Namespace', undefined, 'kube-system', signal))?.metadata.uid,
        );
      });

      test('gives an object as it is now, and undefined where there is none', async () => {
        const made = await cluster.put(ip('read.shop'));
        expect(await kubernetes.get('IP', undefined, 'read.shop', signal)).toMatchObject({
          kind: 'IP',
          metadata: {
            name: 'read.shop',
            uid: made.metadata.uid,
            resourceVersion: made.metadata.resourceVersion,
          },
          spec: { subnet: 'apps' },
        });
        const again = await cluster.put(ip('read.shop', { labels: { a: 'b' } }));
        expect((await now(made))?.metadata).toMatchObject({
          uid: made.metadata.uid,
          resourceVersion: again.metadata.resourceVersion,
          labels: { a: 'b' },
        });
        expect(await kubernetes.get('IP', undefined, 'none.shop', signal)).toBeUndefined();
        expect(await kubernetes.get('Lease', 'no-such-namespace', 'none', signal)).toBeUndefined();
      });

      test('a kind that is not served is a failure, never an absence', async () => {
        const failure = expect.objectContaining({ code: 'source-not-served' });
        await expect(kubernetes.get(cluster.notInstalled, undefined, 'x', signal)).rejects.toEqual(
          failure,
        );
        await expect(kubernetes.list(cluster.notInstalled, undefined, signal)).rejects.toEqual(
          failure,
        );
        await expect(kubernetes.count(cluster.notInstalled, signal)).rejects.toEqual(failure);
      });

      test('says whether a kind is served', async () => {
        expect(await kubernetes.serves('IP', signal)).toBe('served');
        expect(await kubernetes.serves('Pod', signal)).toBe('served');
        expect(await kubernetes.serves(cluster.notInstalled, signal)).toBe('not-installed');
        const as = {
          IP: 'kubeovn.io/v1',
          Pod: 'v1',
          ValidatingAdmissionPolicy: 'admissionregistration.k8s.io/v1',
          [cluster.notInstalled]: undefined,
        };
        for (const [kind, apiVersion] of Object.entries(as))
          expect([kind, await kubernetes.servedAs(kind, signal)]).toEqual([kind, apiVersion]);
      });

      test('lists and counts all, or those of one namespace', async () => {
        const before = await kubernetes.count('Lease', signal);
        for (const each of ['list-1', 'list-2', 'list-3']) await cluster.put(lease(each));
        await cluster.put(lease('list-1', 'default'));
        const named = (all: readonly KubernetesObject[]): string[] =>
          all
            .map((it) => `${it.metadata.namespace}/${it.metadata.name}`)
            .filter((it) => it.includes('/list-'))
            .sort();
        expect(named(await kubernetes.list('Lease', undefined, signal))).toEqual([
          'default/list-1',
          'shop/list-1',
          'shop/list-2',
          'shop/list-3',
        ]);
        expect(named(await kubernetes.list('Lease', 'shop', signal))).toEqual([
          'shop/list-1',
          'shop/list-2',
          'shop/list-3',
        ]);
        expect(await kubernetes.count('Lease', signal)).toBe(before! + 4);
        expect(await kubernetes.list('Lease', 'no-such-namespace', signal)).toEqual([]);
      });

      test('lists a few at once, and none of many', async () => {
        for (const each of ['few-1', 'few-2', 'few-3']) await cluster.put(lease(each, 'default'));
        const all = await kubernetes.list('Lease', 'default', signal);
        const listed = await kubernetes.listUpTo('Lease', 'default', all.length, signal);
        const named = (some: typeof listed) => some?.map((it) => it.metadata.name).sort();
        expect(named(listed)).toEqual(named(all));
        for (const { metadata } of listed!)
          expect(listed).toContainEqual(
            expect.objectContaining({
              metadata: (await kubernetes.get('Lease', 'default', metadata.name, signal))!.metadata,
            }),
          );
        expect(
          await kubernetes.listUpTo('Lease', 'default', all.length - 1, signal),
        ).toBeUndefined();
        expect(await kubernetes.listUpTo('Lease', 'no-such-namespace', 1, signal)).toEqual([]);
        await expect(
          kubernetes.listUpTo(cluster.notInstalled, undefined, 9, signal),
        ).rejects.toEqual(expect.objectContaining({ code: 'source-not-served' }));
        const limited = await cluster.as({ Lease: ['get'] });
        await expect(limited.listUpTo('Lease', 'shop', 9, signal)).rejects.toEqual(
          expect.objectContaining({ code: 'source-forbidden' }),
        );
      });

      test('what may not be read is forbidden, never absent', async () => {
        const limited = await cluster.as({ Lease: ['get'] });
        const failure = expect.objectContaining({ code: 'source-forbidden' });
        await expect(limited.get('IP', undefined, 'none.shop', signal)).rejects.toEqual(failure);
        await expect(limited.list('IP', undefined, signal)).rejects.toEqual(failure);
        await expect(limited.count('IP', signal)).rejects.toEqual(failure);
        await expect(limited.list('Lease', undefined, signal)).rejects.toEqual(failure);
        expect(await limited.get('Lease', 'shop', 'none', signal)).toBeUndefined();
      });
    });

    describe('delete', () => {
      test('removes the version it names', async () => {
        const made = await cluster.put(ip('delete.shop'));
        expect(await kubernetes.delete(versionOf(made), signal)).toEqual({ is: 'gone' });
        expect(await now(made)).toBeUndefined();
        expect(await kubernetes.delete(versionOf(made), signal)).toEqual({ is: 'gone' });
      });

      test.each(['uid', 'resourceVersion'])('is refused for another %s', async (field) => {
        const made = await cluster.put(ip(`delete-other-${field.toLowerCase()}.shop`));
        const other = {
          ...versionOf(made),
          [field]: field === 'uid' ? '6f1c7f2e-0000-4000-8000-000000000000' : '1',
        };
        expect(await kubernetes.delete(other, signal)).toMatchObject({
          is: 'refused',
          why: 'conflict',
        });
        expect((await now(made))?.metadata.deletionTimestamp).toBeUndefined();
      });

      test('is refused once the object was changed', async () => {
        const made = await cluster.put(ip('delete-changed.shop'));
        await cluster.put(ip('delete-changed.shop', { labels: { now: 'another' } }));
        expect(await kubernetes.delete(versionOf(made), signal)).toMatchObject({
          is: 'refused',
          why: 'conflict',
        });
        expect((await now(made))?.metadata.deletionTimestamp).toBeUndefined();
      });

      test('waits for finalizers', async () => {
        const made = await cluster.put(ip('delete-finalizer.shop', { finalizers: [FINALIZER] }));
        expect(await kubernetes.delete(versionOf(made), signal)).toEqual({ is: 'terminating' });
        const terminating = (await now(made))!;
        expect(terminating.metadata).toMatchObject({
          uid: made.metadata.uid,
          deletionTimestamp: expect.any(String),
          finalizers: [FINALIZER],
        });
        expect(await kubernetes.delete(versionOf(terminating), signal)).toEqual({
          is: 'terminating',
        });
        expect((await now(made))?.metadata.resourceVersion).toBe(
          terminating.metadata.resourceVersion,
        );
        expect(
          await kubernetes.patch(
            versionOf(terminating),
            [{ op: 'remove', path: '/metadata/finalizers/0' }],
            signal,
          ),
        ).toMatchObject({ is: 'patched' });
        expect(await now(made)).toBeUndefined();
      });

      test('is forbidden without the verb', async () => {
        const made = await cluster.put(ip('delete-forbidden.shop'));
        expect(
          await (await cluster.as({ IP: ['get', 'list'] })).delete(versionOf(made), signal),
        ).toMatchObject({ is: 'refused', why: 'forbidden' });
        expect(await now(made)).toBeDefined();
      });
    });

    describe('evict', () => {
      test('removes a pod that no kubelet has', async () => {
        const made = await cluster.put(pod('evict'));
        expect(await kubernetes.evict(versionOf(made), signal)).toEqual({ is: 'gone' });
        expect(await now(made)).toBeUndefined();
        expect(await kubernetes.evict(versionOf(made), signal)).toEqual({ is: 'gone' });
      });

      test('lets a kubelet end the containers', async () => {
        const made = await cluster.put(pod('evict-bound', { nodeName: 'worker' }));
        expect(await kubernetes.evict(versionOf(made), signal)).toEqual({ is: 'terminating' });
        expect((await now(made))?.metadata.deletionTimestamp).toEqual(expect.any(String));
      });

      test('is refused for another version', async () => {
        const made = await cluster.put(pod('evict-changed', { nodeName: 'worker' }));
        expect(
          await kubernetes.evict(
            { ...versionOf(made), uid: '6f1c7f2e-0000-4000-8000-000000000000' },
            signal,
          ),
        ).toMatchObject({ is: 'refused', why: 'conflict' });
        expect(
          await kubernetes.evict({ ...versionOf(made), resourceVersion: '1' }, signal),
        ).toMatchObject({ is: 'refused', why: 'conflict' });
        expect((await now(made))?.metadata.deletionTimestamp).toBeUndefined();
      });

      test('is blocked by a budget', async () => {
        const given = pod('evict-kept', { nodeName: 'worker' });
        const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }; // no budget is about what did not start yet
        const made = await cluster.put({
          ...given,
          metadata: { ...given.metadata, namespace: 'kept' },
          status: running,
        });
        await cluster.keepPods('kept');
        expect(await kubernetes.evict(versionOf(made), signal)).toMatchObject({
          is: 'refused',
          why: 'blocked',
        });
        expect((await now(made))?.metadata.deletionTimestamp).toBeUndefined();
      });

      test('is forbidden without the right to evict, though pods may be deleted', async () => {
        const made = await cluster.put(pod('evict-forbidden'));
        expect(
          await (
            await cluster.as({ Pod: ['get', 'list', 'delete'] })
          ).evict(versionOf(made), signal),
        ).toMatchObject({ is: 'refused', why: 'forbidden' });
        expect(await now(made)).toBeDefined();
      });
    });

    describe('patch', () => {
      test('changes the version it names', async () => {
        const made = await cluster.put(
          ip('patch.shop', { annotations: { 'a.b/c': 'x', stays: 'y' } }),
        );
        const patched = await kubernetes.patch(
          versionOf(made),
          [
            { op: 'test', path: '/metadata/annotations/a.b~1c', value: 'x' },
            { op: 'remove', path: '/metadata/annotations/a.b~1c' },
          ],
          signal,
        );
        expect(patched).toMatchObject({
          is: 'patched',
          object: { metadata: { uid: made.metadata.uid } },
        });
        const after = await now(made);
        expect(after?.metadata['annotations']).toEqual({ stays: 'y' });
        expect(patched).toMatchObject({
          object: { metadata: { resourceVersion: after?.metadata.resourceVersion } },
        });
        expect(after?.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
      });

      test('makes no new version of what it does not change', async () => {
        const made = await cluster.put(ip('patch-same.shop', { labels: { a: 'b' } }));
        expect(
          await kubernetes.patch(
            versionOf(made),
            [{ op: 'replace', path: '/metadata/labels/a', value: 'b' }],
            signal,
          ),
        ).toMatchObject({ is: 'patched' });
        expect((await now(made))?.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
      });

      test('is refused once the object was changed or is gone, and for a namesake', async () => {
        const made = await cluster.put(ip('patch-changed.shop'));
        const touch = [{ op: 'add', path: '/metadata/labels', value: { touched: 'yes' } }] as const;
        await cluster.put(ip('patch-changed.shop', { labels: { now: 'another' } }));
        expect(await kubernetes.patch(versionOf(made), touch, signal)).toMatchObject({
          is: 'refused',
          why: 'conflict',
        });
        const current = (await now(made))!;
        expect(current.metadata['labels']).toEqual({ now: 'another' });
        expect(
          await kubernetes.patch(
            { ...versionOf(current), uid: '6f1c7f2e-0000-4000-8000-000000000000' },
            touch,
            signal,
          ),
        ).toMatchObject({ is: 'refused', why: 'conflict' });
        expect(
          await kubernetes.patch({ ...versionOf(current), name: 'patch-none.shop' }, touch, signal),
        ).toMatchObject({ is: 'refused', why: 'conflict' });
      });

      test('is invalid when a test of its own does not hold, and nothing of it is done', async () => {
        const made = await cluster.put(ip('patch-test.shop'));
        const patch = [
          { op: 'add', path: '/metadata/labels', value: { touched: 'yes' } },
          { op: 'test', path: '/spec/subnet', value: 'other' },
        ] as const;
        expect(await kubernetes.patch(versionOf(made), patch, signal)).toMatchObject({
          is: 'refused',
          why: 'invalid',
        });
        expect((await now(made))?.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
      });

      test('gives an object that is being deleted no new finalizer', async () => {
        const made = await cluster.put(ip('patch-going.shop', { finalizers: [FINALIZER] }));
        await kubernetes.delete(versionOf(made), signal);
        const terminating = (await now(made))!;
        expect(
          await kubernetes.patch(
            versionOf(terminating),
            [{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/other' }],
            signal,
          ),
        ).toMatchObject({ is: 'refused', why: 'invalid' });
      });

      test('is forbidden without the verb', async () => {
        const made = await cluster.put(ip('patch-forbidden.shop'));
        expect(
          await (
            await cluster.as({ IP: ['get', 'list'] })
          ).patch(versionOf(made), [{ op: 'add', path: '/metadata/labels', value: {} }], signal),
        ).toMatchObject({ is: 'refused', why: 'forbidden' });
      });
    });

    describe('create', () => {
      test('makes an object with an uid of its own, once', async () => {
        const given = ip('create.shop', { finalizers: [FINALIZER], labels: { a: 'b' } });
        const made = await kubernetes.create('IP', given, signal);
        expect(made).toMatchObject({
          is: 'created',
          object: {
            metadata: { name: 'create.shop', uid: expect.any(String), finalizers: [FINALIZER] },
          },
        });
        expect(await kubernetes.create('IP', given, signal)).toMatchObject({
          is: 'refused',
          why: 'exists',
        });
        expect(await kubernetes.get('IP', undefined, 'create.shop', signal)).toEqual(
          made.is === 'created' && made.object,
        );
      });

      test('is invalid in a namespace that is not there', async () => {
        expect(
          await kubernetes.create('Lease', lease('create', 'no-such-namespace'), signal),
        ).toMatchObject({ is: 'refused', why: 'invalid' });
      });

      test('is invalid under a name that is none', async () => {
        expect(await kubernetes.create('IP', ip('Not A Name'), signal)).toMatchObject({
          is: 'refused',
          why: 'invalid',
        });
      });

      test('is forbidden without the verb', async () => {
        expect(
          await (
            await cluster.as({ IP: ['get', 'list'] })
          ).create('IP', ip('create-forbidden.shop'), signal),
        ).toMatchObject({ is: 'refused', why: 'forbidden' });
      });
    });

    describe('what is lost on the way', () => {
      const unknown = expect.objectContaining({ code: 'outcome-unknown' });

      test('a request: nothing was done', async () => {
        const made = await cluster.put(ip('lost-request.shop'));
        await expect(
          cluster.losing('lose-request').delete(versionOf(made), signal),
        ).rejects.toEqual(unknown);
        expect((await now(made))?.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
      });

      test('a reply: it was done', async () => {
        const made = await cluster.put(ip('lost-reply.shop'));
        await expect(cluster.losing('lose-reply').delete(versionOf(made), signal)).rejects.toEqual(
          unknown,
        );
        expect(await now(made)).toBeUndefined();
        await expect(
          cluster.losing('lose-reply').create('IP', ip('lost-reply.shop'), signal),
        ).rejects.toEqual(unknown);
        expect((await now(made))?.metadata.uid).not.toBe(made.metadata.uid);
        await expect(
          cluster
            .losing('lose-reply')
            .patch(
              versionOf((await now(made))!),
              [{ op: 'add', path: '/metadata/labels', value: { done: 'yes' } }],
              signal,
            ),
        ).rejects.toEqual(unknown);
        expect((await now(made))?.metadata['labels']).toEqual({ done: 'yes' });
      });
    });

    describe('writeEvent', () => {
      const event = (regarding: KubernetesObject, comment: string) => {
        const { kind, ...rest } = versionOf(regarding);
        const { resourceVersion: _, ...version } = rest;
        return {
          regarding: { kind, ...version },
          type: 'Normal',
          reason: 'Removed',
          action: 'DeleteIp',
          note: comment,
        } as const;
      };

      test('the same Event written twice is written once', async () => {
        const stored = await cluster.put(lease('reported'));
        expect(await kubernetes.writeEvent(event(stored, 'first'), signal)).toBe(true);
        expect(await kubernetes.writeEvent(event(stored, 'first'), signal)).toBe(true);
        expect(await kubernetes.writeEvent(event(stored, 'second'), signal)).toBe(true);
        expect([...(await cluster.eventNotes('shop', 'reported'))].sort()).toEqual([
          'first',
          'second',
        ]);
      });

      test('of an object without a namespace', async () => {
        for (const object of [
          await cluster.put(ip('reported.shop')),
          {
            ...(await kubernetes.get('Namespace', undefined, 'kube-system', signal))!,
            kind: 'Namespace',
          },
        ])
          expect([
            await kubernetes.writeEvent(event(object, 'gone'), signal),
            await cluster.eventNotes('default', object.metadata.name),
          ]).toEqual([true, ['gone']]);
      });

      test('never throws', async () => {
        const stored = await cluster.put(lease('not-reported'));
        expect(
          await (await cluster.as({ Lease: ['get'] })).writeEvent(event(stored, 'x'), signal),
        ).toBe(false);
        expect(await cluster.losing('lose-request').writeEvent(event(stored, 'x'), signal)).toBe(
          false,
        );
      });
    });

    test('does nothing for who gave up before', async () => {
      const made = await cluster.put(ip('given-up.shop'));
      await expect(kubernetes.delete(versionOf(made), AbortSignal.abort())).rejects.toMatchObject({
        name: 'AbortError',
      });
      await expect(
        kubernetes.get('IP', undefined, 'given-up.shop', AbortSignal.abort()),
      ).rejects.toMatchObject({ name: 'AbortError' });
      expect(await now(made)).toBeDefined();
    });
  });
}
