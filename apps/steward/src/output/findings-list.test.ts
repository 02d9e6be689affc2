import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { findingsText } from './findings-list';
import type { ListForm } from '../inputs/list-form';

const SAMPLE = JSON.parse(
  readFileSync(join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json'), 'utf8'),
) as Finding;
const HOSTILE: Finding = {
  ...SAMPLE,
  id: 'f'.repeat(64),
  subject: { ...SAMPLE.subject, name: 'a-very-long-name-that-nobody-may-cut.shop' },
  summary: 'one | two\n<b>`three`',
};
const shown = (form: ListForm, findings: readonly Finding[] = [SAMPLE, HOSTILE]): string =>
  findingsText(form, findings, 'None.\n');

test('json, ndjson and yaml say all of each finding', () => {
  expect(JSON.parse(shown('json'))).toEqual([SAMPLE, HOSTILE]);
  expect(
    shown('ndjson')
      .trim()
      .split('\n')
      .map((it) => JSON.parse(it) as unknown),
  ).toEqual([SAMPLE, HOSTILE]);
  expect(parse(shown('yaml'))).toEqual([SAMPLE, HOSTILE]);
});

test('wide has a column for each thing, and cuts no name', () => {
  const [head, first, second] = shown('wide').split('\n');
  expect(head).toMatch(/^ID +STATE +SEVERITY +CLASS +RULE +KIND +NAME +SUBNET +VPC +FIRST SEEN$/);
  expect(first!.indexOf('Logical_Switch_Port')).toBe(head!.indexOf('KIND'));
  expect(second).toContain('a-very-long-name-that-nobody-may-cut.shop  ovn-default  -');
});

test('a cell of Markdown ends no column and begins no markup', () => {
  const line = shown('markdown').split('\n')[3]!;
  expect(line).toContain('one \\| two \\<b\\>\\`three\\`');
  expect(line.replace(/\\./g, '').split('|')).toHaveLength(8);
});

test.each(['table', 'wide', 'markdown'] as const)('%s says that there are none', (form) => {
  expect(shown(form, [])).toBe('None.\n');
});

test.each([
  ['json', '[]\n'],
  ['ndjson', ''],
  ['yaml', '[]\n'],
] as const)('%s of none is empty, and can be read', (form, text) => {
  expect(shown(form, [])).toBe(text);
});
