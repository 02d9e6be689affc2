import { applyJsonPatch } from './json-patch';

const document = { a: { b: [1, 2] }, 'x/y~z': 'odd' };

test.each<[string, Parameters<typeof applyJsonPatch>[1], unknown]>([
  [
    'adds to a map',
    [{ op: 'add', path: '/a/c', value: { d: 1 } }],
    { ...document, a: { b: [1, 2], c: { d: 1 } } },
  ],
  [
    'adds into a list, and at its end',
    [
      { op: 'add', path: '/a/b/0', value: 0 },
      { op: 'add', path: '/a/b/-', value: 3 },
    ],
    { ...document, a: { b: [0, 1, 2, 3] } },
  ],
  ['replaces', [{ op: 'replace', path: '/a/b/1', value: 9 }], { ...document, a: { b: [1, 9] } }],
  [
    'removes',
    [
      { op: 'remove', path: '/a/b/0' },
      { op: 'remove', path: '/x~1y~0z' },
    ],
    { a: { b: [2] } },
  ],
  [
    'goes on after a test that holds',
    [
      { op: 'test', path: '/a', value: { b: [1, 2] } },
      { op: 'remove', path: '/a' },
    ],
    { 'x/y~z': 'odd' },
  ],
  [
    'ends at one that does not',
    [
      { op: 'remove', path: '/a' },
      { op: 'test', path: '/a', value: 1 },
    ],
    undefined,
  ],
  ['replaces nothing that is not there', [{ op: 'replace', path: '/c', value: 1 }], undefined],
  ['removes nothing that is not there', [{ op: 'remove', path: '/a/b/2' }], undefined],
  ['goes nowhere where nothing is', [{ op: 'add', path: '/c/d', value: 1 }], undefined],
  [
    'finds nothing in prototypes',
    [{ op: 'test', path: '/constructor/name', value: 'Object' }],
    undefined,
  ],
])('%s', (_name, patch, expected) => {
  const before = structuredClone(document);
  expect(applyJsonPatch(Object.freeze(document), patch)).toEqual(expected);
  expect(document).toEqual(before);
});
