import { cellsOfKnowing } from '../world/cell';
import type { Rule } from '../rule-kit/rule';
import { RuleIndex } from './rule-index';

const rules = [
  { subject: 'IP', reads: ['Pod'] },
  { subject: 'Pod', reads: ['IP', 'Pod'], consults: ['Node'] },
] as unknown as readonly Rule[];
const needing = (kind: string): (readonly number[] | undefined)[] =>
  cellsOfKnowing(kind).map((cell) => RuleIndex.of(rules).needing.get(cell));

test('a rule judges its subject, and needs that and what it reads, and not what it consults', () => {
  expect([...RuleIndex.of(rules).judging]).toEqual([
    ['IP', [0]],
    ['Pod', [1]],
  ]);
  expect(needing('Pod')).toEqual([[0, 1]]);
  expect(needing('Node')).toEqual([undefined]);
});

test('where the definition of a kind decides whether it is known, its cells lead there too', () =>
  expect(needing('IP')).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ]));

test('is one for all engines with the same rules', () => {
  expect(RuleIndex.of(rules)).toBe(RuleIndex.of(rules));
  expect(RuleIndex.of([...rules])).not.toBe(RuleIndex.of(rules));
});
