import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { ruleSwitches } from './switches';

const CONFIRMED = join(__dirname, '../../../contracts/examples/finding.v1.confirmed.json');
const port = Finding.parse(JSON.parse(readFileSync(CONFIRMED, 'utf8')));
const { scope: _, ...placeless } = port;

test('the first entry that fits and says a grace counts', () => {
  const { graceOf } = ruleSwitches([
    { subnet: 'other', grace: 1 },
    { rule: port.rule, enabled: true },
    { namespace: 'shop', grace: 2 },
    { rule: port.rule, grace: 3 },
  ]);
  expect([graceOf(port), graceOf({ ...port, rule: 'leaked-ip' })]).toEqual([2, 2]);
  expect(graceOf({ ...port, proof: [] })).toBe(3);
  expect(graceOf({ ...port, rule: 'leaked-ip', proof: [] })).toBeUndefined();
});

test('what is switched off says so, by settings', () => {
  const { surelyOff, maybeOff } = ruleSwitches([{ rule: port.rule, enabled: false }]);
  expect(surelyOff(port)).toMatchObject({ by: 'settings', until: null });
  expect(surelyOff(port)?.reason).toContain('switched off');
  expect([surelyOff, maybeOff].map((it) => it({ ...port, rule: 'leaked-ip' }))).toEqual([
    undefined,
    undefined,
  ]);
});

test('an exception comes before what it is excepted from', () => {
  const except = ruleSwitches([
    { subnet: 'ovn-default', enabled: true },
    { rule: port.rule, enabled: false, reason: 'too loud' },
  ]);
  expect([except.surelyOff(port), except.maybeOff(port)]).toEqual([undefined, undefined]);
  const elsewhere = { ...port, scope: { subnet: 'apps' } };
  expect(except.surelyOff(elsewhere)?.reason).toBe('too loud');
});

test('what does not say where it lies is reported, and not acted on', () => {
  const off = ruleSwitches([{ subnet: 'apps', enabled: false }]);
  expect([off.surelyOff(placeless), off.maybeOff(placeless)?.by]).toEqual([undefined, 'settings']);
  const excepted = ruleSwitches([
    { subnet: 'apps', enabled: true },
    { rule: port.rule, enabled: false },
  ]);
  expect([excepted.surelyOff(placeless), excepted.maybeOff(placeless)?.by]).toEqual([
    undefined,
    'settings',
  ]);
});

test('a rule there is not is refused, with the nearest', () => {
  expect(() => ruleSwitches([{ rule: 'leaked-ipp', enabled: false }])).toThrow(/leaked-ip/);
});
