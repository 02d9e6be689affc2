import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { Mode } from '@ovn-steward/shared/mode';
import { modes } from './modes';

const KNOWN = RULES.map((it) => it.id);

test('the rule’s own, else that of all others, else observe', () => {
  const modeOf = modes(
    { mode: 'propose', rules: { 'leaked-ip': 'enforce', 'leaked-vip': 'observe' } },
    KNOWN,
  );
  expect(
    [
      'leaked-ip',
      'leaked-vip',
      'orphaned-nat',
      'of-a-later-version',
      'constructor',
      '__proto__',
    ].map(modeOf),
  ).toEqual(['enforce', 'observe', 'propose', 'observe', 'observe', 'observe']);
});

test('rows of others are put back at once only where the settings name the rule', () => {
  const rules = { 'neighbour-damaged': 'enforce' } as const;
  expect(modes({ mode: 'enforce', rules: {} }, KNOWN)('neighbour-damaged')).toBe('propose');
  expect(modes({ mode: 'observe', rules: {} }, KNOWN)('neighbour-damaged')).toBe('observe');
  expect(modes({ mode: 'observe', rules }, KNOWN)('neighbour-damaged')).toBe('enforce');
});

test('a rule there is not is refused, with the one that was meant', () => {
  expect(() => modes({ mode: 'observe', rules: { 'leaked-ips': 'enforce' } }, KNOWN)).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: expect.stringContaining('there is no rule "leaked-ips"; did you mean "leaked-ip"?'),
    }),
  );
  expect(() =>
    modes(
      {
        mode: 'observe',
        rules: { everything: 'enforce', toString: 'enforce' } as Record<string, Mode>,
      },
      KNOWN,
    ),
  ).toThrow(/no rule "everything"; docs\/rules\.md lists them[^]*no rule "toString"/);
});
