import { monitorRequests, selectColumns, type Selection } from './monitor-request';
import { parseSchema } from '../schema/schema';

const schema = parseSchema({
  name: 'Db',
  version: '1',
  tables: {
    T: { columns: { a: { type: 'string' }, b: { type: 'string' } } },
    U: { columns: { a: { type: 'string' } } },
  },
});

test.each<[string, Selection, unknown]>([
  ['nothing chosen is everything', {}, { T: [{ columns: ['a', 'b'] }], U: [{ columns: ['a'] }] }],
  [
    'some columns of one table, all of the others',
    { columns: { T: ['b', 'zz'], Zz: ['a'] } },
    { T: [{ columns: ['b'] }], U: [{ columns: ['a'] }] },
  ],
  ['some tables', { tables: ['U', 'Zz'] }, { U: [{ columns: ['a'] }] }],
  [
    'no column at all still reports the rows',
    { tables: ['U'], columns: { U: [] } },
    { U: [{ columns: [] }] },
  ],
])('%s', (_, selection, requests) => {
  expect(monitorRequests(selectColumns(schema, selection))).toEqual(requests);
});
