import { createRequire } from 'node:module';

interface Node {
  readonly type: string;
}

const { reason } = createRequire(__filename)('./ignore-texts.cjs') as {
  reason(node: Node): string | undefined;
};

const text = (value: string): Node => ({ type: 'StringLiteral', value }) as Node;
const template = (...parts: string[]): Node =>
  ({ type: 'TemplateLiteral', quasis: parts.map((it) => ({ value: { cooked: it } })) }) as Node;
const call = (object: object, level: string): Node =>
  ({
    type: 'CallExpression',
    callee: { type: 'MemberExpression', object, property: { name: level } },
  }) as Node;

test('texts for people are left alone', () => {
  expect(
    [text('it is there now'), template('', ' is there now'), template('held: ', '')].map(reason),
  ).toEqual(['a text for people', 'a text for people', undefined]);
});

test('codes, keys and names are not', () => {
  expect(
    [text('not-found'), text(''), text(' '), template('', '/', ''), template('', ' ', '')].map(
      reason,
    ),
  ).toEqual(Array(5).fill(undefined));
});

test('lines of the log are left alone, other calls are not', () => {
  const member = { type: 'MemberExpression', property: { name: 'logger' } };
  expect(
    [call({ name: 'logger' }, 'warn'), call({ name: 'log' }, 'info'), call(member, 'error')].map(
      reason,
    ),
  ).toEqual(Array(3).fill('a line of the log'));
  expect(
    [call({ name: 'log' }, 'append'), call({ name: 'gate' }, 'warn'), { type: 'IfStatement' }].map(
      reason,
    ),
  ).toEqual(Array(3).fill(undefined));
});
