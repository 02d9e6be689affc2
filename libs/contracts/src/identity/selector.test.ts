import { selectorIn, selectorKey } from './selector';

test('the same selector has one text, whatever the order of its members', () => {
  const text = selectorKey({ rule: 'leaked-ip', namespace: 'shop' });
  expect(selectorKey({ namespace: 'shop', subnet: undefined, rule: 'leaked-ip' })).toBe(text);
  expect(selectorIn(text)).toEqual({ rule: 'leaked-ip', namespace: 'shop' });
});

test('a member that a later version added is part of it', () => {
  const later = { rule: 'leaked-ip', node: { name: 'a' } };
  expect(selectorKey(later)).not.toBe(selectorKey({ rule: 'leaked-ip' }));
  expect(selectorIn(selectorKey(later))).toEqual(later);
});

test.each(['', 'rule', '{}', '[1]', '[["rule",7]]', '[["subnet","a"],["rule","b"]]', '[null]'])(
  'what is no text of a selector names nothing: %s',
  (text) => {
    expect(selectorIn(text)).toEqual({});
  },
);
