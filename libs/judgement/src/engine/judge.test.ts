import { RELATIONS } from '../relations/registry';
import { healthy, type Rule, unknown, type Verdict, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { TALLIES } from '../tallies/registry';
import { entityOf, object } from '../testing/builders';
import { History } from '../testing/history';
import { World } from '../world/world';
import {
  hasKindKnowledgeChanged,
  createJudge,
  heldJudgement,
  judgement,
  reasonToWithhold,
  restsOnPairing,
} from './judge';
import { absent } from '../rule-kit/facts';

const ENTITY = entityOf(object('Vip', 'a'));
const FOUND = violation({ summary: 'wrong', proof: [absent('Pod', 'shop/web-0')] });
const rule = (more: object = {}): Rule =>
  ({
    id: 'small',
    class: 'garbage',
    severity: 'warning',
    subject: 'Vip',
    reads: ['Pod', 'Logical_Switch_Port'],
    about: '',
    check: () => FOUND,
    ...more,
  }) as unknown as Rule;

interface Says {
  readonly pairing?: 'paired' | 'mispaired' | 'unknown';
  readonly lists?: string;
}
/** It was found, and something speaks against it: nobody may act on what was found before. */
const doubted = (reason: string): Verdict => ({ is: 'unknown', reason, isDoubted: true });

/** What is made of the rule's verdict where the world says this. */
const held = (of: Rule, { pairing = 'paired', lists }: Says = {}): Verdict =>
  heldJudgement(of, ENTITY, {
    pairing: () => ({ is: pairing, reason: 'another cluster' }),
    doubtOfLists: () => lists,
    isNamespaceGone: () => false,
  } as unknown as View);

describe('what was found in the world that is held', () => {
  test('stands, with its cause', () =>
    expect(held(rule())).toMatchObject({
      is: 'violation',
      violations: [{ summary: 'wrong', cause: { kind: 'Pod', key: 'shop/web-0' } }],
    }));

  test.each(['mispaired', 'unknown'] as const)(
    'is unknown where both systems are %s, and the rule compares them',
    (pairing) => {
      expect(held(rule(), { pairing })).toEqual(unknown('another cluster'));
      for (const reads of [['Pod'], []])
        expect(held(rule({ reads }), { pairing }).is).toBe('violation');
      const rows = { subject: 'Logical_Switch', reads: ['Logical_Switch_Port'] };
      expect(held(rule(rows), { pairing }).is).toBe('violation');
    },
  );

  test('is unknown where a list is in doubt, of what is found for others that are gone', () => {
    for (const ofClass of ['garbage', 'leak', 'stuck', 'drift', 'damage'])
      expect(held(rule({ class: ofClass }), { lists: 'cut' })).toEqual(unknown('cut'));
    for (const ofClass of ['missing', 'misplaced'])
      expect(held(rule({ class: ofClass }), { lists: 'cut' }).is).toBe('violation');
  });

  test('is unknown where the rule itself doubts it, or fails to say', () => {
    expect(held(rule({ doubt: () => 'seen twice' }))).toEqual(doubted('seen twice'));
    const fails = (): never => {
      throw new Error('odd');
    };
    expect(held(rule({ doubt: fails }))).toEqual(
      doubted('the rule failed on this object, which is a fault of ovn-steward: odd'),
    );
    expect(held(rule({ check: fails }))).toEqual(
      unknown('the rule failed on this object, which is a fault of ovn-steward: odd'),
    );
  });

  test('has no cause where it is not left over', () =>
    expect(held(rule({ class: 'missing' }))).toEqual(FOUND));

  test.each([healthy, unknown('who knows')])('nothing is made of %j', (verdict) =>
    expect(held(rule({ check: () => verdict }), { pairing: 'mispaired', lists: 'cut' })).toBe(
      verdict,
    ),
  );
});

test('a rule that fails knows nothing', () => {
  const fails = (): never => {
    throw new Error('odd');
  };
  expect(judgement(rule({ check: fails }), ENTITY, undefined as never)).toEqual(
    unknown('the rule failed on this object, which is a fault of ovn-steward: odd'),
  );
});

test('a rule compares the two systems where it names kinds of both, wherever', () => {
  const kinds = (subject: string, reads: string[], consults?: string[]): boolean =>
    restsOnPairing(rule({ subject, reads, consults }));
  expect(kinds('Vip', ['Pod'])).toBe(false);
  expect(kinds('Logical_Switch', ['NAT'])).toBe(false);
  expect(kinds('Vip', ['NAT'])).toBe(true);
  expect(kinds('NAT', ['Vip'])).toBe(true);
  expect(kinds('Vip', [], ['NAT'])).toBe(true);
  expect(kinds('NAT', [], ['Vip'])).toBe(true);
});

describe('a judge', () => {
  const requested: string[] = [];
  const started = () => {
    requested.length = 0;
    const world = new World(RELATIONS, TALLIES);
    const history = new History();
    const judge = createJudge(
      rule({ reads: ['Pod'], consults: ['Node'] }),
      world,
      () => 0,
      [],
      (_, kind) => void requested.push(kind),
    );
    const report = (...kinds: readonly string[]): void => {
      for (const kind of kinds) world.fold(history.complete(kind), { checked: false });
    };
    return {
      judge,
      world,
      report,
      lose: (kind: string) => world.fold(history.lose(kind), { checked: false }),
    };
  };

  test('judges nothing before anything was read', () =>
    expect(started().judge.withheld).not.toBe(''));

  test('needs its subject and what it reads, and says what is missing and why', () => {
    const { judge, world, report, lose } = started();
    expect(reasonToWithhold(judge, world)).toContain('Vip, Pod (Vip: not listed completely yet)');
    report('Vip');
    expect(reasonToWithhold(judge, world)).toContain('a complete list of Pod (');
    lose('Pod');
    expect(reasonToWithhold(judge, world)).toContain('(Pod: forbidden: lost by the test)');
    report('Pod');
    expect(reasonToWithhold(judge, world)).toBe('');
  });

  test('reports once each kind it asked about beside those, and whether it is known otherwise since', () => {
    const { judge, world, report, lose } = started();
    const view = judge.view as unknown as View<'Node' | 'Pod'>;
    for (let time = 0; time < 2; time += 1) {
      view.knows('Node');
      view.knows('Pod');
    }
    expect(requested).toEqual(['Node']);
    expect(hasKindKnowledgeChanged(judge, world)).toBe(false);
    report('Node');
    expect(hasKindKnowledgeChanged(judge, world)).toBe(true);
    expect(hasKindKnowledgeChanged(judge, world)).toBe(false);
    lose('Node');
    expect(hasKindKnowledgeChanged(judge, world)).toBe(true);
    expect(hasKindKnowledgeChanged(judge, world)).toBe(false);
  });
});
