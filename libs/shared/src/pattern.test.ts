import * as fc from 'fast-check';
import { Pattern } from './pattern';

describe('Pattern', () => {
  it('matches plain text whole, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (text, other) => {
        fc.pre(!/^\/.+\/i?$/s.test(text));
        const pattern = Pattern.parse(text);
        expect(pattern.test(text)).toBe(true);
        expect(pattern.test(other)).toBe(other === text);
      }),
    );
    expect(Pattern.parse('node.*').test('node-1')).toBe(false);
  });

  it('matches an expression between slashes anywhere', () => {
    expect(Pattern.parse('/^legacy-/').test('legacy-db')).toBe(true);
    expect(Pattern.parse('/^legacy-/').test('my-legacy-db')).toBe(false);
    expect(Pattern.parse('/LEGACY/i').test('my-legacy-db')).toBe(true);
    expect(Pattern.parse('/LEGACY/').test('my-legacy-db')).toBe(false);
  });

  it.each(['', '/(/', '/[/i'])('refuses %j', (text) => {
    expect(Pattern.safeParse(text).success).toBe(false);
  });
});
