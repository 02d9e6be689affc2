import fc from 'fast-check';
import { distinct, type Question, questionKey } from './question';

/** Texts that a separator could be mistaken in. */
const part = fc.string({ unit: fc.constantFrom(' ', '1', 'a'), maxLength: 4 });
const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ ask: fc.constant('key' as const), kind: part, key: part }),
  fc.record({ ask: fc.constant('uid' as const), kind: part, uid: part }),
  fc.record({ ask: fc.constant('relation' as const), relation: part, key: part }),
  fc.record({ ask: fc.constant('known' as const), kind: part }),
);

/** What a separator alone would make equal. */
const MOVED: [Question, Question] = [
  { ask: 'relation', relation: 'a', key: '1 b' },
  { ask: 'relation', relation: 'a 1', key: 'b' },
];

test('questions have one key where they are the same, and only there', () => {
  fc.assert(
    fc.property(question, question, (one, other) => {
      const isSame = JSON.stringify(Object.values(one)) === JSON.stringify(Object.values(other));
      expect(questionKey(one) === questionKey(other)).toBe(isSame);
    }),
    { numRuns: 2000, examples: [MOVED] },
  );
});

test('a question of a later version has a key of its own', () => {
  const later = ['a', 'b'].map((key) => ({ ask: 'later', key }) as unknown as Question);
  expect(distinct([...later, ...later])).toEqual(later);
});
