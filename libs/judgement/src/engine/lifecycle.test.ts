import type { Claim } from './lifecycle';
import { asResolved, ripened, seen, withNewGrace } from './lifecycle';

const claim: Claim = {
  id: 'f',
  cluster: 'c',
  rule: 'r',
  class: 'garbage',
  severity: 'warning',
  summary: 'it is dead',
  concerns: [],
  proof: [],
  remedy: null,
  subject: { source: 'ovn-nb', kind: 'ACL', name: '', uid: 'u' },
  owner: { owner: 'kube-ovn', verdict: 'candidate', confidence: 3, evidence: [] },
};
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const GRACE = 15 * 60_000;

describe('a finding', () => {
  const first = seen(undefined, claim, at(0));

  test('begins as a suspicion', () =>
    expect(first).toMatchObject({
      state: 'suspected',
      revision: 1,
      firstSeen: at(0),
      confirmedAt: null,
    }));

  test('is the same object while nothing changed', () =>
    expect(seen(first, { ...claim }, at(5))).toBe(first));

  test('gets a new revision when what it says changed, and keeps its age', () => {
    expect(seen(first, { ...claim, summary: 'it is very dead' }, at(5))).toMatchObject({
      revision: 2,
      firstSeen: at(0),
      lastSeen: at(5),
      state: 'suspected',
    });
  });

  test('does not keep what is not said any more', () => {
    const scoped = seen(undefined, { ...claim, scope: { subnet: 'apps' } }, at(0));
    const moved = seen(scoped, claim, at(5));
    expect(moved.revision).toBe(2);
    expect(moved).not.toHaveProperty('scope');
  });

  test.each([
    [0, 'suspected'],
    [14, 'suspected'],
    [15, 'confirmed'],
    [60, 'confirmed'],
  ])('at a watermark %i minutes on is %s', (minute, state) => {
    expect(ripened(first, at(minute), GRACE).state).toBe(state);
  });

  test('needs a later watermark even without grace', () => {
    expect(ripened(first, at(0), 0).state).toBe('suspected');
    expect(ripened(first, '', 0).state).toBe('suspected');
    expect(ripened(first, at(1), 0).state).toBe('confirmed');
  });

  test('is confirmed once, and not any more when it was resolved', () => {
    const confirmed = ripened(first, at(20), GRACE);
    expect(ripened(confirmed, at(60), GRACE)).toBe(confirmed);
    for (const finding of [first, confirmed]) {
      const resolved = asResolved(finding, at(30));
      expect(ripened(resolved, at(60), GRACE)).toBe(resolved);
    }
  });

  test('is resolved once, and starts from zero when it is seen again', () => {
    const confirmed = ripened(first, at(20), GRACE);
    const resolved = asResolved(confirmed, at(30));
    expect(resolved).toMatchObject({ state: 'resolved', resolvedAt: at(30), revision: 3 });
    expect(asResolved(resolved, at(40))).toBe(resolved);
    expect(seen(resolved, claim, at(50))).toMatchObject({
      state: 'suspected',
      firstSeen: at(50),
      revision: 4,
      resolvedAt: null,
      confirmedAt: null,
    });
  });

  test('that nobody could judge for a while serves its grace again, unless it was confirmed', () => {
    expect(withNewGrace(first, at(9))).toMatchObject({
      state: 'suspected',
      firstSeen: at(9),
      revision: 2,
    });
    const confirmed = ripened(first, at(20), GRACE);
    expect(withNewGrace(confirmed, at(30))).toBe(confirmed);
  });
});
