import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { AnsweredQuery } from './querying-world';
import { foundationsOf } from './foundations-of';
import { found, type Question } from './question';

const entity = (uid: string, source = 'kubernetes'): Entity =>
  ({ uid, hash: `hash of ${uid}`, source }) as unknown as Entity;
const requested = (
  question: Question,
  entities: readonly Entity[],
  contents = false,
): AnsweredQuery => ({
  question,
  answer: found(entities),
  contents,
});
const NOTHING = { absences: [], witnesses: [], vacancies: [], rows: [] };
const POD: Question = { ask: 'key', kind: 'Pod', key: 'shop/web-0' };
const PORT: Question = { ask: 'key', kind: 'Logical_Switch_Port', key: 'web-0.shop' };
const BY_UID: Question = { ask: 'uid', kind: 'Logical_Switch_Port', uid: 'u1' };
const HOLDERS: Question = { ask: 'relation', relation: 'address-holders', key: '10.0.0.1' };

test('an object that is not there is an absence, one that is there a witness', () => {
  expect(foundationsOf([requested(POD, [])], 'ovn-nb')).toEqual({
    ...NOTHING,
    absences: [{ kind: 'Pod', key: 'shop/web-0' }],
  });
  expect(foundationsOf([requested(POD, [entity('p')])], 'ovn-nb')).toEqual({
    ...NOTHING,
    witnesses: [{ kind: 'Pod', key: 'shop/web-0', uid: 'p' }],
  });
});

test('of a witness whose contents were asked for these count, too', () =>
  expect(foundationsOf([requested(POD, [entity('p')], true)], 'ovn-nb').witnesses).toEqual([
    { kind: 'Pod', key: 'shop/web-0', uid: 'p', hash: 'hash of p' },
  ]));

test('where the database is written to the write itself holds its rows, but not that no row has a name', () => {
  const port = entity('r', 'ovn-nb');
  expect(foundationsOf([requested(PORT, [port]), requested(BY_UID, [port])], 'ovn-nb')).toEqual(
    NOTHING,
  );
  expect(foundationsOf([requested(PORT, [])], 'ovn-nb')).toEqual({
    ...NOTHING,
    rows: [{ question: PORT, known: {} }],
  });
  expect(foundationsOf([requested(BY_UID, [])], 'ovn-nb')).toEqual(NOTHING);
});

test('where Kubernetes is written to every row counts, as it was read, and no object among them', () => {
  const known = { r: 'hash of r' };
  const entities = [entity('r', 'ovn-nb'), entity('p')];
  expect(
    foundationsOf(
      [requested(PORT, entities), requested(BY_UID, entities), requested(HOLDERS, entities)],
      'kubernetes',
    ),
  ).toEqual({
    ...NOTHING,
    rows: [
      { question: PORT, known },
      { question: BY_UID, known },
      { question: HOLDERS, known },
    ],
  });
});

test('a relation that finds nobody is a vacancy, whatever is written to; where Kubernetes is, its rows count besides', () => {
  const vacancies = [{ relation: 'address-holders', key: '10.0.0.1' }];
  expect(foundationsOf([requested(HOLDERS, [])], 'ovn-nb')).toEqual({ ...NOTHING, vacancies });
  expect(foundationsOf([requested(HOLDERS, [])], 'kubernetes')).toEqual({
    ...NOTHING,
    vacancies,
    rows: [{ question: HOLDERS, known: {} }],
  });
  expect(foundationsOf([requested(HOLDERS, [entity('p')])], 'ovn-nb')).toEqual(NOTHING);
});

test('what was not answered, and whether a kind is known, is no foundation', () =>
  expect(
    foundationsOf(
      [
        { question: POD, answer: { is: 'failed', reason: 'no answer' }, contents: false },
        {
          question: { ask: 'known', kind: 'Pod' },
          answer: { is: 'known', known: true },
          contents: false,
        },
        requested({ ask: 'known', kind: 'Pod' }, []),
      ],
      'kubernetes',
    ),
  ).toEqual(NOTHING));
