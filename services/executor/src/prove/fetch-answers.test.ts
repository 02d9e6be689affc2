import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Relation } from '@ovn-steward/judgement/world/relation';
import { SOUTHBOUND_KINDS } from '@ovn-steward/judgement/world/southbound-kinds';
import { operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { recordedEngine } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { FINDERS } from './find-rows';
import { fetchAnswers, type ProofSources } from './fetch-answers';
import { LiveObjects } from './live-objects';
import { LiveRows } from './live-rows';
import { createBulkCache } from './bulk-cache';
import type { Question } from './question';
import { rowReferences } from './row-references';
import { selectBatch } from './select-batch';

const never = new AbortController().signal;
/** Whoever acts does not read the Southbound, and what is remembered is in no database. */
const isElsewhere = ({ kinds }: (typeof RELATIONS)[number]): boolean =>
  kinds !== 'ovn-nb' && kinds.some((it) => SOUTHBOUND_KINDS.has(it) || it === 'Former_Row');

test('every relation over rows has a way to find them in a living database, and no other has', () => {
  const ofRows = RELATIONS.filter(
    (it) =>
      !isElsewhere(it) && (it.kinds === 'ovn-nb' || it.kinds.some((kind) => !kubernetesKind(kind))),
  ).map((it) => it.id);
  expect([...FINDERS.keys()].sort()).toEqual(ofRows.sort());
});

test('what the Northbound does not have gets no answer, and says so', async () => {
  const asked = RELATIONS.filter(isElsewhere).map((relation): Question => ({
    ask: 'relation',
    relation: relation.id,
    key: 'x',
  }));
  const answers = await fetchAnswers(asked, {} as ProofSources, never);
  expect(answers.map(([, { is }]) => is)).toEqual(asked.map(() => 'failed'));
  expect(asked.length).toBeGreaterThan(2);
});

test('what only a later version can ask gets no answer, and says so', async () => {
  const question = { ask: 'address', address: '10.16.0.13' } as unknown as Question;
  expect(await fetchAnswers([question], {} as ProofSources, never)).toEqual([
    [question, { is: 'failed', reason: expect.stringContaining('only a later version can ask') }],
  ]);
});

describe.each(['leaky', 'shared-neutron'] as const)(
  'what is read of %s when it is asked for',
  (name) => {
    async function both() {
      const engine = await recordedEngine(name);
      const { northbound, kubernetes } = await recordedSystems(name);
      const cache = createBulkCache();
      const schema = await northbound.schema(never);
      const from: ProofSources = {
        rows: new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema)),
        objects: new LiveObjects(kubernetes, cache),
        cache,
      };
      return { world: engine.world, from };
    }
    const uids = (entities: readonly Entity[]): string[] =>
      entities.map((it) => `${it.kind} ${it.uid} ${it.hash}`).sort();

    test('is what the fold keeps: each relation, under each key that anything has', async () => {
      const { world, from } = await both();
      const all = [...world.kinds()].flatMap((kind) => [...world.entities(kind)]);
      const groups = [...world.entities('Port_Group')].map((it) => it.uid);
      const coveredBy = ({ kinds }: Relation): Entity[] =>
        all.filter(({ kind, source }) =>
          kinds === 'ovn-nb' ? source === 'ovn-nb' : kinds.includes(kind),
        );
      // The fold counts some, and keeps no more of them.
      const counted = new Map(RELATIONS.filter((it) => it.counted).map((it) => [it.id, it]));
      const keptUnder = (id: string, key: string): readonly Entity[] => {
        const relation = counted.get(id);
        if (!relation) return world.related(id, key);
        const found = coveredBy(relation).filter((it) => relation.keys(it).includes(key));
        expect([id, key, world.hasRelated(id, key)]).toEqual([id, key, found.length > 0]);
        return found;
      };
      const questions = RELATIONS.filter((it) => !isElsewhere(it)).flatMap(
        (relation): Question[] => {
          const keys = coveredBy(relation).flatMap((it) => relation.keys(it));
          return [
            ...new Set([
              ...keys,
              ...(relation.id === 'policy-groups' ? groups : []),
              'nothing has this',
              '',
            ]),
          ].map((key) => ({ ask: 'relation', relation: relation.id, key }));
        },
      );
      const answers = await fetchAnswers(questions, from, never);
      const differing = answers.flatMap(([question, answer]) => {
        if (question.ask !== 'relation') return [];
        const kept = uids(keptUnder(question.relation, question.key));
        const read = answer.is === 'found' ? uids(answer.entities) : answer;
        return JSON.stringify(kept) === JSON.stringify(read) ? [] : [{ question, kept, read }];
      });
      expect(differing).toEqual([]);
      expect(questions.length).toBeGreaterThan(900);
    });

    test('is what the fold keeps: each object by its key, each row by its uid', async () => {
      const { world, from } = await both();
      const questions: Question[] = RULES.flatMap((rule) => [rule.subject, ...rule.reads]).flatMap(
        (kind) =>
          [...world.entities(kind)].map((entity): Question =>
            entity.source === 'ovn-nb'
              ? { ask: 'uid', kind, uid: entity.uid }
              : {
                  ask: 'key',
                  kind,
                  key:
                    entity.namespace === undefined
                      ? entity.name
                      : `${entity.namespace}/${entity.name}`,
                },
          ),
      );
      expect(questions.length).toBeGreaterThan(900);
      for (const [question, answer] of await fetchAnswers(questions, from, never)) {
        const kept =
          question.ask === 'uid'
            ? [world.entity(question.kind, question.uid)!]
            : question.ask === 'key'
              ? world.byKey(question.kind, question.key)
              : [];
        expect({ question, uids: answer.is === 'found' ? uids(answer.entities) : answer }).toEqual({
          question,
          uids: uids(kept),
        });
      }
    });
  },
);

describe('a question that cannot be answered', () => {
  const requested = async (question: Question): Promise<unknown> => {
    const { northbound, kubernetes } = await recordedSystems('leaky');
    kubernetes.fault = () => new Failure('source-unreachable', 'nobody answers');
    const schema = await northbound.schema(never);
    const cache = createBulkCache();
    const [[, answer]] = (await fetchAnswers(
      [question],
      {
        rows: new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema)),
        objects: new LiveObjects(kubernetes, cache),
        cache,
      },
      never,
    )) as [[Question, unknown]];
    return answer;
  };

  test.each<[string, Question]>([
    ['an object', { ask: 'key', kind: 'Pod', key: 'shop/web-0' }],
    ['a kind', { ask: 'known', kind: 'Pod' }],
    ['a relation', { ask: 'relation', relation: 'pods-by-machine', key: 'shop/web' }],
    ['a relation of another version', { ask: 'relation', relation: 'no-such', key: 'a' }],
    ['an object asked for by its uid', { ask: 'uid', kind: 'Pod', uid: 'u' }],
    ['a row of the Southbound', { ask: 'uid', kind: 'Chassis', uid: 'u' }],
  ])('is answered by why not, never by nothing: %s', async (_, question) =>
    expect(await requested(question)).toEqual({ is: 'failed', reason: expect.any(String) }),
  );

  test('a table of the Northbound is known, and another is not', async () => {
    expect(await requested({ ask: 'known', kind: 'Port_Group' })).toEqual({
      is: 'known',
      known: true,
    });
    expect(await requested({ ask: 'known', kind: 'Chassis' })).toEqual({
      is: 'known',
      known: false,
    });
  });
});

test('of two rows with one uuid only that of the table is the answer', async () => {
  const { northbound, kubernetes } = await recordedSystems('leaky');
  const uid = '00000000-0000-4000-8000-00000000000a';
  northbound.database.transact([
    operation.insert('Port_Group', { name: 'group' }, uid),
    operation.insert('Address_Set', { name: 'set' }, uid),
  ]);
  const schema = await northbound.schema(never);
  const cache = createBulkCache();
  const rows = new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema));
  const answers = await fetchAnswers(
    [
      { ask: 'uid', kind: 'Port_Group', uid },
      { ask: 'uid', kind: 'Meter', uid },
    ],
    { rows, objects: new LiveObjects(kubernetes, cache), cache },
    never,
  );
  expect(
    answers.map(([, answer]) =>
      answer.is === 'found' ? answer.entities.map((it) => it.name) : answer,
    ),
  ).toEqual([['group'], []]);
});
