import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { KubernetesObject, ObjectVersion } from '@ovn-steward/systems/kubernetes/kubernetes';
import { manifestOf } from '@ovn-steward/systems/kubernetes/manifest';
import { type ActionCase, COMMENT, signal } from '../testing/action-cases';
import type { ActionCluster } from '../testing/action-cluster';
import { outcomeText, refusedAs } from '../testing/outcome-text';
import { prepareUndo } from '../undo/undo';
import { applyEffect } from '../work/apply-effect';
import { observeTarget } from '../work/observe-target';
import type { Action, Prepared, Refusal } from '../action-kit/action';

/** What every action on Kubernetes objects keeps. */
export function describeKubernetesAction(
  cluster: () => ActionCluster,
  action: Action,
  { arrange, part, undone }: ActionCase,
): void {
  describe(`${action.id}, as every action on objects,`, () => {
    let tries = 0;
    const arranged = (): Promise<KubernetesObject> =>
      arrange(cluster(), `${action.id}-${(tries += 1)}`);
    const targetOf = ({
      kind,
      metadata: { namespace, name, uid },
    }: KubernetesObject): Reference => ({
      source: 'kubernetes',
      kind: String(kind),
      name,
      uid,
      ...(namespace !== undefined && { namespace }),
      ...(part && { part }),
    });
    const versionOf = ({
      kind,
      metadata: { namespace, name, uid, resourceVersion },
    }: KubernetesObject): ObjectVersion => ({
      kind: String(kind),
      name,
      uid,
      resourceVersion,
      ...(namespace !== undefined && { namespace }),
    });
    const prepare = (target: Reference): Promise<Prepared | Refusal> =>
      action.prepare(target, COMMENT, cluster(), signal);
    const tried = async (target: Reference): Promise<string> => outcomeText(await prepare(target));
    const prepared = async (target: Reference): Promise<Prepared> => {
      const outcome = await prepare(target);
      if (outcome.is === 'refused') throw new Error(outcomeText(outcome));
      return outcome;
    };
    const now = ({
      kind,
      metadata: { namespace, name },
    }: KubernetesObject): Promise<KubernetesObject | undefined> =>
      cluster().kubernetes.get(String(kind), namespace, name, signal);
    const observed = (target: Reference): Promise<string> =>
      observeTarget(target, cluster(), signal);

    /** As its controller would, and as whoever deletes by force does: the object goes. */
    const vanish = async (object: KubernetesObject): Promise<void> => {
      const there = await now(object);
      if (there && there.metadata.deletionTimestamp === undefined)
        await cluster().others.delete(versionOf(there), signal);
      const terminating = await now(object);
      if (terminating)
        await cluster().others.patch(
          versionOf(terminating),
          [{ op: 'replace', path: '/metadata/finalizers', value: [] }],
          signal,
        );
      expect(await now(object)).toBeUndefined();
    };
    const changed = async (
      object: KubernetesObject,
      more: Readonly<Record<string, unknown>>,
    ): Promise<void> => {
      const patch = Object.entries(more).map(
        ([field, value]) =>
          ({
            op: 'add',
            path: `/metadata/${field}`,
            value: { ...(object.metadata[field] as object | undefined), ...(value as object) },
          }) as const,
      );
      expect(await cluster().others.patch(versionOf(object), patch, signal)).toMatchObject({
        is: 'patched',
      });
    };

    test('says what it is for', () => {
      expect(action).toMatchObject({
        on: 'kubernetes',
        id: expect.stringMatching(/^[a-z]+(-[a-z]+)*$/),
        does: expect.stringMatching(/\.$/),
        undoing: expect.stringMatching(/\.$/),
      });
    });

    test('prepares without changing anything, the same each time', async () => {
      const object = await arranged();
      const first = await prepared(targetOf(object));
      expect(first.version).toBe(`${object.metadata.uid}/${object.metadata.resourceVersion}`);
      expect(first.effect).toMatchObject({ on: 'kubernetes', verb: action.verb });
      expect(await prepared(targetOf(object))).toEqual(first);
      expect(await now(object)).toEqual(object);
    });

    test('does it once, however often it is sent', async () => {
      const object = await arranged();
      const { effect } = await prepared(targetOf(object));
      expect(await applyEffect(effect, cluster(), signal)).toEqual({ is: 'applied' });
      expect(await observed(targetOf(object))).not.toBe('there');
      const after = await now(object);
      await applyEffect(effect, cluster(), signal);
      expect(await now(object)).toEqual(after);
      expect(await tried(targetOf(object))).toMatch(refusedAs('gone'));
    });

    test('is done when the reply is lost, and not done when the request is', async () => {
      const object = await arranged();
      const { effect } = await prepared(targetOf(object));
      const through = (what: 'lose-request' | 'lose-reply') =>
        applyEffect(effect, { ...cluster(), kubernetes: cluster().losing(what) }, signal);
      await expect(through('lose-request')).rejects.toMatchObject({ code: 'outcome-unknown' });
      expect(await now(object)).toEqual(object);
      await expect(through('lose-reply')).rejects.toMatchObject({ code: 'outcome-unknown' });
      expect(await observed(targetOf(object))).not.toBe('there');
    });

    test('does nothing to an object that was changed since', async () => {
      const object = await arranged();
      const { effect } = await prepared(targetOf(object));
      await changed(object, { labels: { somebody: 'else' } });
      const after = await now(object);
      expect(outcomeText(await applyEffect(effect, cluster(), signal))).toMatch(
        refusedAs('changed'),
      );
      expect(await now(object)).toEqual(after);
    });

    test('does nothing to a namesake', async () => {
      const object = await arranged();
      const { effect } = await prepared(targetOf(object));
      await vanish(object);
      const namesake = await arrange(cluster(), object.metadata.name);
      expect(namesake.metadata.uid).not.toBe(object.metadata.uid);
      expect(outcomeText(await applyEffect(effect, cluster(), signal))).toMatch(
        refusedAs('changed'),
      );
      expect(await now(object)).toEqual(namesake);
      expect(await tried(targetOf(object))).toMatch(refusedAs('gone'));
    });

    test('refuses what a person keeps', async () => {
      const object = await arranged();
      await changed(object, { annotations: { 'ovn-steward.dev/protect': 'for the audit' } });
      expect(await tried(targetOf(object))).toMatch(/^refused protected: .*for the audit/);
    });

    test.each(
      ['Vpc', 'Subnet', 'VpcNatGateway', 'Node', 'Namespace', 'Lease'].filter(
        (it) => !action.kinds.includes(it),
      ),
    )('refuses a %s, whatever a finding says', async (kind) => {
      expect(await tried({ ...targetOf(await arranged()), kind })).toMatch(
        refusedAs('unsupported'),
      );
    });

    test('refuses a row of OVN, and parts it knows nothing of', async () => {
      const target = targetOf(await arranged());
      expect(await tried({ ...target, source: 'ovn-nb' })).toMatch(refusedAs('unsupported'));
      expect(await tried({ ...target, part: { column: 'spec', key: 'x' } })).toMatch(
        refusedAs('unsupported'),
      );
      const { part: _, ...whole } = target;
      if (part) expect(await tried(whole)).toMatch(refusedAs('unsupported'));
    });

    test('is gone when the object is', async () => {
      const object = await arranged();
      await vanish(object);
      expect(await tried(targetOf(object))).toMatch(refusedAs('gone'));
    });

    test('fails, and refuses nothing, when the object cannot be read', async () => {
      const target = targetOf(await arranged());
      await expect(
        action.prepare(target, COMMENT, cluster(), AbortSignal.abort()),
      ).rejects.toMatchObject({ name: 'AbortError' });
    });

    describe('undone', () => {
      const undo = async (object: KubernetesObject) => {
        const { effect, undo: record } = await prepared(targetOf(object));
        expect(await applyEffect(effect, cluster(), signal)).toEqual({ is: 'applied' });
        return record;
      };

      if (undone === 'impossible') {
        test('cannot be', async () => {
          expect(
            await prepareUndo(await undo(await arranged()), COMMENT, cluster(), signal),
          ).toMatchObject({ is: 'impossible', reason: expect.any(String) });
        });
        return;
      }

      test.each<[string, Partial<Reference>]>([
        ['another object', { name: 'another' }],
        ['an object of another namespace', { namespace: 'another' }],
        ['another kind', { kind: 'Subnet' }],
        ['a row', { source: 'ovn-nb' }],
      ])('takes no record of it for that of %s', async (_, other) => {
        const target = targetOf(await arranged());
        const { undo: record } = await prepared(target);
        expect(action.restores(target, record)).toBeUndefined();
        expect(action.restores({ ...target, ...other }, record)).toEqual(expect.any(String));
      });

      test('is as it was, but for what the server writes', async () => {
        const object = await arranged();
        const record = await undo(object);
        if (undone === 'object') await vanish(object);
        const plan = await prepareUndo(record, COMMENT, cluster(), signal);
        if (plan.is !== 'ready') throw new Error(`${action.id}: ${JSON.stringify(plan)}`);
        expect([object['kind'], 'losses', plan.losses.length > 0]).toEqual([
          object['kind'],
          'losses',
          true,
        ]);
        expect(await applyEffect(plan.effect, cluster(), signal)).toEqual({ is: 'applied' });
        const back = (await now(object))!;
        expect(manifestOf(String(object['kind']), back)).toEqual(
          manifestOf(String(object['kind']), object),
        );
        expect(back.metadata.deletionTimestamp).toBeUndefined();
        expect(back.metadata.uid === object.metadata.uid).toBe(undone === 'field');

        await applyEffect(plan.effect, cluster(), signal);
        expect(await now(object)).toEqual(back);
        expect(await prepareUndo(record, COMMENT, cluster(), signal)).toMatchObject({ is: 'back' });
      });

      test('is not when another has its name', async () => {
        const object = await arranged();
        const record = await undo(object);
        await vanish(object);
        const other = await arrange(cluster(), object.metadata.name);
        const plan = await prepareUndo(record, COMMENT, cluster(), signal);
        expect(plan).toEqual(expect.objectContaining({ is: 'impossible' }));
        expect(await now(object)).toEqual(other);
      });
    });
  });
}
