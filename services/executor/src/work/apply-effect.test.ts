import { operation } from '@ovn-steward/ovsdb';
import type { Effect } from '@ovn-steward/systems/effect';
import type { KubernetesObject, RefusedWrite } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { RefusedTransaction } from '@ovn-steward/systems/northbound/northbound';
import type { Systems } from '@ovn-steward/systems/systems';
import { applyEffect } from './apply-effect';

const never = new AbortController().signal;
const OBJECT = {
  kind: 'IP',
  name: 'a',
  uid: 'u',
  resourceVersion: '1',
} as unknown as KubernetesObject;

/** Systems that answer every write so. */
const answering = (answer: object): Systems =>
  new Proxy({} as Systems, {
    get: (_, system) =>
      new Proxy(
        {},
        {
          get: (__, verb) => async () =>
            (system === 'northbound' ? verb === 'write' : true) && answer,
        },
      ),
  });
const ROW: Effect = { on: 'ovn-nb', operations: [operation.comment('x')] } as unknown as Effect;
const KUBERNETES = (['delete', 'evict', 'patch', 'create'] as const).map(
  (verb) =>
    ({
      on: 'kubernetes',
      verb,
      object: OBJECT,
      patch: [],
      kind: 'IP',
      manifest: {},
    }) as unknown as Effect,
);

describe('a transaction', () => {
  const refused = (error: string): RefusedTransaction =>
    ({ is: 'refused', error, details: 'why', at: 2 }) as RefusedTransaction;

  test('that is committed is applied', async () => {
    expect(await applyEffect(ROW, answering({ is: 'committed' }), never)).toEqual({
      is: 'applied',
    });
  });

  test('whose guard did not hold says that something changed, and which guard', async () => {
    expect(await applyEffect(ROW, answering(refused('timed out')), never)).toMatchObject({
      is: 'refused',
      code: 'changed',
      reason: expect.stringContaining('guard 2 '),
    });
  });

  test('without the lock is another executor’s', async () => {
    await expect(applyEffect(ROW, answering(refused('not owner')), never)).rejects.toMatchObject({
      code: 'fenced',
    });
  });

  test('that the database will not have says why', async () => {
    expect(
      await applyEffect(ROW, answering(refused('referential integrity violation')), never),
    ).toEqual({
      is: 'refused',
      code: 'refused',
      reason: 'the database refused the transaction: referential integrity violation (why)',
    });
  });
});

describe.each(KUBERNETES.map((effect) => [(effect as { verb: string }).verb, effect] as const))(
  'a %s',
  (_, effect) => {
    test.each(['gone', 'terminating', 'patched', 'created'])(
      'that is %s is applied',
      async (is) => {
        expect(await applyEffect(effect, answering({ is }), never)).toEqual({ is: 'applied' });
      },
    );

    test.each<[RefusedWrite['why'], string]>([
      ['conflict', 'changed'],
      ['exists', 'changed'],
      ['blocked', 'blocked'],
      ['forbidden', 'forbidden'],
      ['invalid', 'refused'],
    ])('that is refused as %s is %s, in the words of the server', async (why, code) => {
      const answer = { is: 'refused', why, message: 'the server says so' };
      expect(await applyEffect(effect, answering(answer), never)).toEqual({
        is: 'refused',
        code,
        reason: 'the server says so',
      });
    });
  },
);
