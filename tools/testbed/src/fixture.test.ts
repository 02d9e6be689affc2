import { describeWith, underCi, type Fixture, type Runner } from './fixture';

const present: Fixture = { name: 'Thing', missing: () => undefined };
const missing: Fixture = { name: 'Thing', missing: () => 'install thing-server' };

/**
 * Stands where jest stands, and records what it was asked; `describe` runs its body as jest does,
 * `skip` does too.
 */
function notingRunner(ci: boolean): {
  runner: Runner;
  asked: string[];
  warned: string[];
  bodies: (() => void)[];
} {
  const requested: string[] = [];
  const warned: string[] = [];
  const bodies: (() => void)[] = [];
  const comment =
    (what: string) =>
    (name: string, tests: () => void): void => {
      requested.push(`${what} ${name}`);
      tests();
    };
  const runner: Runner = {
    describe: comment('describe'),
    skip: comment('skip'),
    test: (name, body) => {
      requested.push(`test ${name}`);
      bodies.push(body);
    },
    warn: (text) => void warned.push(text),
    ci,
  };
  return { runner, asked: requested, warned, bodies };
}

test('a fixture that is there changes nothing', () => {
  for (const ci of [true, false]) {
    const { runner, asked: requested, warned } = notingRunner(ci);
    describeWith(present, 'reads', () => runner.test('one', () => undefined), runner);
    expect(requested).toEqual(['describe reads', 'test one']);
    expect(warned).toEqual([]);
  }
});

test('a missing fixture skips loudly where a person watches', () => {
  const { runner, asked: requested, warned } = notingRunner(false);
  describeWith(missing, 'reads', () => runner.test('one', () => undefined), runner);
  expect(requested).toEqual(['skip reads (skipped: no Thing)', 'test one']);
  expect(warned.join('')).toMatch(
    /!!!!\n!! SKIPPED: reads\n!! Thing is missing: install thing-server\n!!!!/,
  );
});

test('a missing fixture fails under CI', () => {
  const { runner, asked: requested, bodies } = notingRunner(true);
  describeWith(missing, 'reads', () => runner.test('one', () => undefined), runner);
  expect(requested).toEqual(['describe reads', 'test has Thing']);
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toThrow('Thing is missing, and CI must not skip: install thing-server');
});

test.each([
  ['true', true],
  ['1', true],
  ['woodpecker', true],
  ['false', false],
  ['0', false],
  ['', false],
  [undefined, false],
])('CI=%s counts as CI: %s', (value, expected) => {
  expect(underCi(value)).toBe(expected);
});
