import { rulesPage } from './reference-page';
import { RULES } from './registry';

const page = rulesPage(RULES);

test('has every rule under its class, with what it declares', () => {
  const headings = page.split('\n').filter((it) => it.startsWith('##'));
  for (const rule of RULES) {
    const above = headings
      .slice(0, headings.indexOf(`### ${rule.id}`))
      .filter((it) => it.startsWith('## '))
      .at(-1);
    expect(above).toMatch(new RegExp(`^## ${rule.class}:`));
    expect(page).toContain(rule.about);
  }
  expect(headings.filter((it) => it.startsWith('### '))).toHaveLength(RULES.length);
});

test('says what a rule needs, what it uses if known, and its remedy', () => {
  const section = (id: string) => page.slice(page.indexOf(`### ${id}\n`)).split('\n###')[0]!;
  expect(section('misplaced-pod')).toContain(
    '- Needs: Namespace, Subnet\n- Uses if known: DaemonSet, ReplicaSet, StatefulSet, VirtualMachine, VirtualMachineInstance\n- Remedy: `restart-pod`',
  );
  expect(section('orphaned-nat')).toContain('- Remedy: a person must decide');
  expect(section('duplicate-address-record')).toContain('Needs: IptablesEIP, OvnEip, Vip\n');
});

test('does not depend on the order of the rules', () =>
  expect(rulesPage([...RULES].reverse())).toBe(page));

test('has no class without rules', () => expect(rulesPage([])).not.toContain('## '));
