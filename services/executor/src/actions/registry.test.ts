import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowDeletion } from '@ovn-steward/contracts/actions/row-deletion';
import { GRAMMAR } from '@ovn-steward/judgement/ownership/kube-ovn-grammar';
import { LEAVES_FIRST } from '@ovn-steward/judgement/rule-kit/left-row';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { EXECUTOR_ACTIONS, actionOf } from './registry';

/** What lies here and is no action. */
const KIT = new Set(['action', 'registry']);
const files = readdirSync(__dirname)
  .filter((it) => it.endsWith('.ts') && !/\.(test|contract)\.ts$/.test(it))
  .map((it) => it.slice(0, -'.ts'.length))
  .filter((it) => !KIT.has(it));

test('has every file of the folder, and nothing else', () => {
  expect(EXECUTOR_ACTIONS.map((it) => it.id).sort()).toEqual(files.sort());
});

test('has each under its id', () => {
  for (const it of EXECUTOR_ACTIONS) expect(actionOf(it.id)).toBe(it);
  expect(actionOf('constructor')).toBeUndefined();
});

test('says of each what it does and what undoing does not bring back, and has a test beside it', () => {
  for (const { id, does, undoing, kinds } of EXECUTOR_ACTIONS) {
    for (const said of [does, undoing])
      expect([id, said]).toEqual([id, expect.stringMatching(/^[A-Z].+\.$/)]);
    expect(kinds.length).toBeGreaterThan(0);
    expect(readFileSync(join(__dirname, `${id}.test.ts`), 'utf8')).toContain(`from './${id}'`);
  }
});

test('has what the rules name as a remedy, as a whole and in each finding', () => {
  const folder = join(__dirname, '../../../../libs/judgement/src/rules');
  const named = readdirSync(folder)
    .filter((it) => it.endsWith('.ts') && !it.endsWith('.test.ts'))
    .flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:action|remedy): '([a-z-]+)'/g),
      ].map((found) => found[1]!),
    );
  expect(named.length).toBeGreaterThan(10);
  for (const id of [...named, ...RULES.flatMap((it) => it.remedy ?? [])])
    expect([id, actionOf(id)?.id]).toEqual([id, id]);
});

test('deletes the rows of each table in which a row can be proven Kube-OVN’s, under the id that rules propose', () => {
  expect(GRAMMAR.size).toBeGreaterThan(10);
  for (const table of GRAMMAR.keys())
    expect([table, actionOf(rowDeletion(table))?.kinds]).toEqual([table, [table]]);
});

test('ranks what is left of an object in the order in which rules propose it', () => {
  const others = ['DHCP_Options', 'HA_Chassis_Group', 'Logical_Router_Port', 'Logical_Switch_Port'];
  const ranks = LEAVES_FIRST.map((it) => actionOf(rowDeletion(it))!.rank);
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  for (const table of others)
    expect(actionOf(rowDeletion(table))!.rank).toBeGreaterThan(Math.max(...ranks));
});
