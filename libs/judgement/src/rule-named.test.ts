import { noSuchRule, refuseNoRule, requireRule, requireRuleSettings } from './rule-named';

test('the id of a rule is one; anything else is reported with the one that was meant', () => {
  expect(noSuchRule('leaked-ip')).toBeUndefined();
  expect(noSuchRule('leaked-ips')).toBe('there is no rule "leaked-ips"; did you mean "leaked-ip"?');
  for (const id of ['everything', 'toString', '__proto__', ''])
    expect(noSuchRule(id)).toBe(`there is no rule ${JSON.stringify(id)}; docs/rules.md lists them`);
});

test('a rule of an earlier version may be asked for where records name it', () => {
  requireRule('leaked-ip');
  requireRule('of-an-earlier-version', ['of-an-earlier-version']);
  expect(() => requireRule('leaked-Ip ', ['other'])).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: 'There is no rule "leaked-Ip "; did you mean "leaked-ip"?',
    }),
  );
});

test('everything that is wrong with settings is reported', () => {
  requireRuleSettings({ 'executor.rules': ['leaked-ip', 'leaked-vip'] });
  expect(() =>
    requireRuleSettings({
      'executor.rules': ['leaked-ip', 'leaked-ips'],
      'executor.approvers': ['everything'],
    }),
  ).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: expect.stringMatching(
        /executor\.rules: there is no rule "leaked-ips"; did you mean "leaked-ip"\?\n {2}executor\.approvers: there is no rule "everything"/,
      ),
    }),
  );
});

test('the schema of a query reports it', () => {
  const issues: unknown[] = [];
  refuseNoRule('leaked-ip', { addIssue: (it) => issues.push(it) });
  refuseNoRule('leaked-ips', { addIssue: (it) => issues.push(it) });
  expect(issues).toEqual([
    { code: 'custom', message: 'there is no rule "leaked-ips"; did you mean "leaked-ip"?' },
  ]);
});
