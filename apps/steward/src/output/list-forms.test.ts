import { parse } from 'yaml';
import { LIST_FORMS } from '../inputs/list-form';
import { listText } from './list-forms';

const LIST = {
  document: { version: 1, items: [{ id: 'a' }, { id: 'b' }] },
  items: [{ id: 'a' }, { id: 'b' }],
  table: () => 'a table\n',
  wide: () => 'a wide table\n',
  markdown: () => '| a |\n',
};

test('json and yaml hold the document, ndjson one item a line', () => {
  expect(JSON.parse(listText('json', LIST))).toEqual(LIST.document);
  expect(parse(listText('yaml', LIST))).toEqual(LIST.document);
  expect(listText('ndjson', LIST)).toBe('{"id":"a"}\n{"id":"b"}\n');
});

test('every form is printed, and ends its last line', () => {
  for (const form of LIST_FORMS) expect(listText(form, LIST)).toMatch(/\n$/);
  expect(listText('wide', LIST)).toBe('a wide table\n');
});
