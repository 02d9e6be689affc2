import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { restoresEntry } from './restores-entry';
import { restoresRow } from './restores-row';

const row: Reference = { source: 'ovn-nb', kind: 'Load_Balancer', name: 'lb', uid: 'u' };
const entry: Reference = { ...row, part: { column: 'vips', key: 'a' } };
const ofEntry = {
  of: 'entry',
  table: 'Load_Balancer',
  uuid: 'u',
  name: 'lb',
  column: 'vips',
  key: 'a',
  value: 'b',
};
const ofRow = {
  of: 'rows',
  rows: [{ table: 'Load_Balancer', uuid: 'u', name: 'lb', columns: {} }],
  links: [],
};
const entrySaid = (record: object = {}, target: object = {}) =>
  restoresEntry('Load_Balancer', 'vips', { ...entry, ...target }, {
    ...ofEntry,
    ...record,
  } as unknown as Undo);
const rowSaid = (first: object = {}, target: object = {}, record: object = {}) =>
  restoresRow('Load_Balancer', { ...row, ...target }, {
    ...ofRow,
    rows: [{ ...ofRow.rows[0], ...first }],
    ...record,
  } as unknown as Undo);

test('what was taken from there can come back', () => {
  expect([entrySaid(), rowSaid()]).toEqual([undefined, undefined]);
});

test.each([
  ['another sort of record', entrySaid({ of: 'rows' })],
  ['another table', entrySaid({ table: 'Port_Group' })],
  ['another column', entrySaid({ column: 'ip_port_mappings' })],
  ['another row', entrySaid({ uuid: 'v' })],
  ['another name', entrySaid({ name: 'other' })],
  ['another key', entrySaid({ key: 'c' })],
  ['a target in Kubernetes', entrySaid({}, { source: 'kubernetes' })],
  ['a target in another table', entrySaid({}, { kind: 'Port_Group' })],
  ['another column of the target', entrySaid({}, { part: { column: 'options', key: 'a' } })],
  ['a whole row', entrySaid({}, { part: undefined })],
])('an entry is not that of %s', (_, why) => expect(why).toBeDefined());

test.each([
  ['another sort of record', rowSaid({}, {}, { of: 'entry' })],
  ['another table', rowSaid({ table: 'Port_Group' })],
  ['another row', rowSaid({ uuid: 'v' })],
  ['another name', rowSaid({ name: 'other' })],
  ['no row', rowSaid({}, {}, { rows: [] })],
  ['a target in Kubernetes', rowSaid({}, { source: 'kubernetes' })],
  ['a target in another table', rowSaid({}, { kind: 'Port_Group' })],
  ['a part of a row', rowSaid({}, { part: { column: 'vips', key: 'a' } })],
])('a row is not that of %s', (_, why) => expect(why).toBeDefined());
