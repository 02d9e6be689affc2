import fc from 'fast-check';
import { parseKubernetesJson } from './parse-kubernetes-json';

function errorOf(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    return String(error);
  }
}

describe('parseKubernetesJson', () => {
  it('keeps integers beyond 2^53 as digits, wherever they stand', () => {
    expect(
      parseKubernetesJson(
        '{"v6availableIPs":18446744073709551614,"l":[-9007199254740993],"small":9007199254740991}',
      ),
    ).toEqual({
      v6availableIPs: '18446744073709551614',
      l: ['-9007199254740993'],
      small: 9007199254740991,
    });
  });

  it('finds them at every place of the text', () => {
    for (let shift = 0; shift < 40; shift++) {
      expect(
        parseKubernetesJson(`{"pad":"${'x'.repeat(shift)}","l":[1234567,9007199254740993]}`),
      ).toMatchObject({ l: [1234567, '9007199254740993'] });
      expect(parseKubernetesJson(`${' '.repeat(shift)}9007199254740993`)).toBe('9007199254740993');
    }
  });

  it('leaves strings, fractions and exponents alone', () => {
    const json =
      '{"a \\" 18446744073709551614":"x: 18446744073709551614","f":12345678901234567.5,"e":1.8446744073709552e+19}';
    expect(parseKubernetesJson(json)).toEqual(JSON.parse(json));
  });

  it('equals JSON.parse on everything without such integers', () => {
    const values = [
      fc.string(),
      fc.integer(),
      fc.double({ min: -9e15, max: 9e15, noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    ];
    fc.assert(
      fc.property(fc.object({ values }), (value) => {
        const json = JSON.stringify({ value, digits: '1234567890123456789' });
        expect(parseKubernetesJson(json)).toEqual(JSON.parse(json));
      }),
    );
    fc.assert(
      fc.property(fc.string(), (key) => {
        const json = JSON.stringify({ [key]: key, digits: '1234567890123456789', safe: 1 });
        expect(parseKubernetesJson(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('fails as JSON.parse does', () => {
    expect(() => parseKubernetesJson('{"a":18446744073709551614')).toThrow(SyntaxError);
    // Looking for the end of a string at each quote in it again would take minutes of a large one.
    for (const cut of ['{"a":"\\"18446744073709551614', '{"a":"\\"18446744073709551614\\']) {
      const why = errorOf(() => JSON.parse(cut));
      expect(errorOf(() => parseKubernetesJson(cut))).toEqual(why);
    }
  });
});
