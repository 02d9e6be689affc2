import { aboutOf, holdScopeOf } from './control-about';
import { type Control, controlKey, type Scope } from './control';

const resume = (scope: Scope): Control => ({
  type: 'resume',
  version: 1,
  id: 'i',
  cluster: 'c',
  by: 'anna',
  at: '',
  scope,
});

test.each<Scope>([
  {},
  { rule: 'leaked-ip' },
  { vpc: 'v', subnet: 's/t' },
  { rule: 'r', vpc: 'v', subnet: 's' },
])('a key says what it is about: %j', (scope) => {
  const about = aboutOf(controlKey(resume(scope)));
  expect(about).toMatchObject({ cluster: 'c', kind: 'hold' });
  expect(holdScopeOf(about!.id)).toEqual(scope);
});

test.each(['', 'c', 'c/hold', '/hold/x', 'c//x', 'c/hold/'])('%j is about nothing', (key) => {
  expect(aboutOf(key)).toBeUndefined();
});

test.each(['', '[', '{}', '[]', '["a"]', '["a","b","c","d"]', '["a","b",1]'])(
  'a scope nobody can read is everything: %s',
  (text) => {
    expect(holdScopeOf(text)).toEqual({});
  },
);
