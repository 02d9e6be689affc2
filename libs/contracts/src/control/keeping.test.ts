import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Control } from './control';
import { endOfKeeping, keepingBy, keepingUnder } from './keeping';
import { selectorKey } from '../identity/selector';

const sample = (name: string): Control =>
  JSON.parse(
    readFileSync(join(__dirname, `../../../../contracts/examples/control.v1.${name}.json`), 'utf8'),
  ) as Control;
const TEXT = selectorKey({ rule: 'leaked-ip', namespace: 'shop' });

test.each(['suppress', 'protect'] as const)('a %s keeps, and its end does not', (kind) => {
  expect(keepingBy(sample(kind))).toMatchObject({ kind, by: 'jana' });
  expect(keepingBy(sample(`un${kind}`))).toBeUndefined();
  expect(keepingUnder(kind, TEXT, { control: sample(`un${kind}`) })).toBeUndefined();
  expect(keepingUnder(kind, TEXT, { forgotten: true })).toBeUndefined();
});

test.each([
  { poison: 'not JSON' },
  { newer: 'quarantine' },
  { refused: 'unsigned', why: 'it has no signature' },
] as const)('what nobody understands keeps what its key names: %o', (read) => {
  expect(keepingUnder('suppress', TEXT, read)).toMatchObject({
    selector: { rule: 'leaked-ip', namespace: 'shop' },
    until: null,
    reason: expect.stringContaining('steward unsuppress'),
  });
  expect(keepingUnder('protect', 'no selector', read)).toMatchObject({ selector: {} });
});

test('one whose end cannot be read never ends', () => {
  expect(
    ['2026-01-01T00:00:00Z', 'tomorrow', null].map((until) => endOfKeeping({ until })),
  ).toEqual([Date.parse('2026-01-01T00:00:00Z'), Infinity, Infinity]);
});
