import { indentedJson } from './indented-json';

test('a document is indented by two and ends with a newline', () =>
  expect(indentedJson({ of: [1, { a: null }] })).toBe(
    '{\n  "of": [\n    1,\n    {\n      "a": null\n    }\n  ]\n}\n',
  ));
