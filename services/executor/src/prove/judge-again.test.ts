import { userProtection } from '@ovn-steward/judgement/protection';
import {
  defineRule,
  healthy,
  type Rule,
  unknown,
  type Verdict,
  violation,
} from '@ovn-steward/judgement/rule-kit/rule';
import { type Entity, referenceTo } from '@ovn-steward/judgement/world/entity';
import { claimOf } from '@ovn-steward/judgement/engine/claim-of';
import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import { QueryingWorld } from './querying-world';
import { judgeAgain, type Remediable, type Terms } from './judge-again';
import { found } from './question';
import { unchanged } from '@ovn-steward/judgement/rule-kit/facts';

const row = (kind: string, uid: string, object: object = {}): Entity => ({
  source: 'ovn-nb',
  stream: 'ovn-nb',
  kind,
  uid,
  name: uid,
  object: object as Entity['object'],
  hash: `hash of ${uid}`,
});
const port = row('Logical_Router_Port', 'port');
const acl = row('ACL', 'acl');
const owned = (verdict: Ownership['verdict']): Ownership => ({
  owner: 'somebody',
  verdict,
  confidence: 3,
  evidence: ["a key of somebody's"],
});
const terms: Terms = { cluster: 'c', isProtected: userProtection([]), onlyApproved: false };

const ruleOf = (check: (subject: Entity) => Verdict): Rule =>
  defineRule({
    id: 'test',
    class: 'garbage',
    severity: 'warning',
    subject: 'Logical_Router_Port',
    reads: ['ACL'],
    about: '',
    check: check as never,
  }) as never;
const saying = (owner: Ownership, target = referenceTo(port), concerns: Entity[] = []): Rule =>
  ruleOf((entity) =>
    violation({
      summary: 'dead',
      owner,
      concerns,
      proof: [unchanged(entity)],
      remedy: { action: 'a', target, advice: '' },
    }),
  );

/** What the rule found, as it was found. */
function findingOf(rule: Rule, subject = port): Remediable {
  const verdict = rule.check(subject as never, undefined as never);
  if (verdict.is !== 'violation') throw new Error(verdict.is);
  return {
    ...claimOf('c', rule, subject, verdict.violations[0]!),
    state: 'confirmed',
    revision: 2,
    firstSeen: '',
    lastSeen: '',
    confirmedAt: '',
    resolvedAt: null,
  } as Remediable;
}

function worldOf(...rows: Entity[]): QueryingWorld {
  const world = new QueryingWorld();
  for (const kind of ['Logical_Router_Port', 'ACL'])
    world.answer({ ask: 'known', kind }, { is: 'known', known: true });
  for (const it of rows) world.answer({ ask: 'uid', kind: it.kind, uid: it.uid }, found([it]));
  world.begin();
  return world;
}

const dead = saying(owned('candidate'));

test('what the rule says again is proven', () => {
  expect(judgeAgain(findingOf(dead), dead, worldOf(port), terms)).toMatchObject({
    is: 'proven',
    subject: port,
    claim: { owner: owned('candidate') },
    scope: { vpc: null, subnet: null },
  });
});

test.each<[string, Rule, object]>([
  ['healthy', ruleOf(() => healthy), { is: 'untrue' }],
  ['unknown', ruleOf(() => unknown('who knows')), { is: 'unknown', reason: 'who knows' }],
  [
    'something it fails on',
    ruleOf(() => {
      throw new Error('odd');
    }),
    { is: 'unknown', reason: expect.stringContaining('odd') },
  ],
  [
    'something else',
    ruleOf((entity) =>
      violation({
        summary: 'x',
        owner: owned('candidate'),
        part: { column: 'a', key: 'b' },
        proof: [unchanged(entity)],
      }),
    ),
    { is: 'untrue' },
  ],
  [
    'no remedy',
    ruleOf((it) => violation({ summary: 'x', owner: owned('candidate'), proof: [unchanged(it)] })),
    { is: 'changed' },
  ],
])('now the rule says: %s', (_, rule, judged) =>
  expect(judgeAgain(findingOf(dead), rule, worldOf(port), terms)).toMatchObject(judged),
);

test.each(['protect', 'detach-only'] as const)('a row whose owner is: %s', (verdict) => {
  const rule = saying(owned(verdict));
  expect(judgeAgain(findingOf(rule), rule, worldOf(port), terms)).toEqual({
    is: 'untrue',
    reason: expect.stringContaining("its owner is somebody (a key of somebody's)"),
  });
  expect(
    judgeAgain(findingOf(rule), rule, worldOf(port), { ...terms, onlyApproved: true }),
  ).toMatchObject({ is: 'proven' });
});

test('of a row of which only our entry may go, the entry may', () => {
  const rule = saying(owned('detach-only'), referenceTo(port, { column: 'options', key: 'x' }));
  expect(judgeAgain(findingOf(rule), rule, worldOf(port), terms)).toMatchObject({ is: 'proven' });
});

test("another row than the subject must be Kube-OVN's by itself", () => {
  const rule = saying(owned('candidate'), referenceTo(acl));
  expect(judgeAgain(findingOf(rule), rule, worldOf(port, acl), terms)).toMatchObject({
    is: 'untrue',
    reason: expect.stringContaining('ACL acl may not be removed'),
  });
  expect(judgeAgain(findingOf(rule), rule, worldOf(port), terms)).toMatchObject({
    is: 'unknown',
    reason: expect.stringContaining('is not there'),
  });
});

test('what a person keeps, wherever it is: subject, target, concern', () => {
  const marked = (entity: Entity): Entity => ({
    ...entity,
    object: { external_ids: { 'ovn-steward.dev/protect': 'audit' } },
  });
  const untrue = { is: 'untrue', reason: expect.stringContaining('protected') };
  expect(judgeAgain(findingOf(dead), dead, worldOf(marked(port)), terms)).toEqual(untrue);
  const toAcl = saying(owned('candidate'), referenceTo(acl));
  expect(
    judgeAgain(findingOf(toAcl), toAcl, worldOf(port, marked(acl)), {
      ...terms,
      onlyApproved: true,
    }),
  ).toEqual(untrue);
  const concerning = saying(owned('candidate'), referenceTo(port), [marked(acl)]);
  expect(judgeAgain(findingOf(concerning), concerning, worldOf(port), terms)).toEqual(untrue);
});

test('while a kind it needs is not known, nothing is', () => {
  const world = worldOf(port);
  world.answer({ ask: 'known', kind: 'ACL' }, { is: 'known', known: false });
  expect(judgeAgain(findingOf(dead), dead, world, terms)).toEqual({
    is: 'unknown',
    reason: 'the rule needs a complete list of ACL',
  });
});

describe('where else it lies', () => {
  const within = (uid: string, subnet: string): Entity =>
    row('Port_Group', uid, { external_ids: { subnet } });
  const subject = within('subject', 'shop');
  /** The other subnets that what is found about the subject names, besides its own. */
  const elsewhere = (...concerns: Entity[]): unknown => {
    const rule = {
      ...saying(owned('candidate'), referenceTo(subject), concerns),
      subject: 'Port_Group',
    } as unknown as Rule;
    const world = new QueryingWorld();
    for (const kind of ['Port_Group', 'ACL', 'Subnet'])
      world.answer({ ask: 'known', kind }, { is: 'known', known: true });
    world.answer({ ask: 'uid', kind: 'Port_Group', uid: 'subject' }, found([subject]));
    for (const key of ['shop', 'bank'])
      world.answer({ ask: 'key', kind: 'Subnet', key }, found([]));
    world.begin();
    const judged = judgeAgain(findingOf(rule, subject), rule, world, terms);
    return judged.is === 'proven' ? judged.otherScopes.map((it) => it.subnet) : judged;
  };

  test('what lies in the same subnet lies nowhere else', () =>
    expect(elsewhere(within('x', 'shop'), acl)).toEqual([]));

  test('another subnet is named once', () =>
    expect(elsewhere(within('x', 'bank'), within('y', 'bank'))).toEqual(['bank']));
});
