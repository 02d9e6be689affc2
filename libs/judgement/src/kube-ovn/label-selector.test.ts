import { selects } from './label-selector';

const labels = { app: 'web', tier: 'front' };
const expression = (key: string, operator: string, values?: string[]) => ({
  matchExpressions: [{ key, operator, ...(values ? { values } : {}) }],
});

test.each([
  ['an empty selector', {}, true],
  ['all labels match', { matchLabels: { app: 'web', tier: 'front' } }, true],
  ['one label does not', { matchLabels: { app: 'web', tier: 'back' } }, false],
  ['a label is missing', { matchLabels: { zone: 'a' } }, false],
  [
    'a label is named after a property of every object',
    { matchLabels: { constructor: 'web' } },
    false,
  ],
  ['In holds', expression('app', 'In', ['db', 'web']), true],
  ['In does not', expression('app', 'In', ['db']), false],
  ['In, the label missing', expression('zone', 'In', ['a']), false],
  ['NotIn holds', expression('app', 'NotIn', ['db']), true],
  ['NotIn does not', expression('app', 'NotIn', ['web']), false],
  ['NotIn, the label missing', expression('zone', 'NotIn', ['a']), true],
  ['Exists', expression('app', 'Exists'), true],
  ['Exists, the label missing', expression('toString', 'Exists'), false],
  ['DoesNotExist', expression('zone', 'DoesNotExist'), true],
  ['DoesNotExist, the label there', expression('app', 'DoesNotExist'), false],
  ['an operator nobody knows', expression('app', 'Gt', ['1']), undefined],
  [
    'an operator nobody knows, but a label that does not match',
    { matchLabels: { app: 'db' }, ...expression('app', 'Gt', ['1']) },
    false,
  ],
])('%s', (_, selector, expected) => expect(selects(selector, labels)).toBe(expected));
