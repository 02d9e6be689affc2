import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Control, controlKey } from './control';
import {
  controlText,
  decodeControl,
  type DecodedControl,
  encodeControl,
  encodeForgottenControl,
} from './control-codec';

const CONTRACTS = join(__dirname, '../../../../contracts');
const sample = (path: string): Control =>
  JSON.parse(readFileSync(join(CONTRACTS, path), 'utf8')) as Control;
const later = (name: string): Control => sample(`later-versions/control.v1.${name}.json`);
const decoded = (value: unknown, key = controlKey(value as Control)): DecodedControl =>
  decodeControl({ key, value: Buffer.from(JSON.stringify(value)) });

const SAMPLES = readdirSync(join(CONTRACTS, 'examples')).filter((it) => it.startsWith('control.'));
const HOLD = sample('examples/control.v1.hold.json') as Extract<Control, { type: 'hold' }>;
const HELD = 'berlin-1/hold/["leaked-ip","*","*"]';

test.each(SAMPLES)('%s comes back as it is', (file) => {
  const control = sample(`examples/${file}`);
  const { key, value, headers, timestamp } = encodeControl(control, 7);
  expect([key, value]).toEqual([controlKey(control), controlText(control)]);
  expect([headers, timestamp]).toEqual([{ id: control.id }, 7]);
  expect(decodeControl({ key, value: Buffer.from(String(value)) })).toEqual({
    control,
    understood: true,
  });
});

test('a tombstone under its key forgets a decision', () => {
  const { key, value, timestamp } = encodeForgottenControl(HOLD, 7);
  expect([key, value, timestamp]).toEqual([controlKey(HOLD), null, 7]);
  expect(decodeControl({ key, value: null })).toEqual({ forgotten: true });
});

test('what an executor publishes of a decision of a later version is kept', () => {
  expect(decoded(later('heard'))).toEqual({ control: later('heard'), understood: false });
});

test('a hold of a later version is a hold of all that this version knows of its scope', () => {
  const except = ['undo', 'quarantine'];
  expect(decoded(later('hold'))).toEqual({ control: { ...HOLD, except }, understood: true });
});

test.each(['limit', 'freeze'])('a decision of the later type %s is distinguished', (type) => {
  expect(decoded(later(type), HELD)).toEqual({ newer: type });
  expect(decoded({ ...later(type), version: 2 }, HELD)).toEqual({
    poison: expect.stringMatching(/^not a decision of version 1: /),
  });
});

test.each<[string, DecodedControl, RegExp]>([
  ['of another version', decoded({ ...HOLD, version: 2 }), /^not a decision of version 1: version/],
  ['without its reason', decoded({ ...HOLD, reason: undefined }), /reason/],
  ['of a type that is no word', decoded({ ...HOLD, type: 7 }, HELD), /type/],
  ['under another key', decoded(HOLD, HELD), /^its key is not /],
  ['of a cluster with a slash', decoded({ ...HOLD, cluster: 'a/b' }), /is no name of a cluster/],
  [
    'that withdraws a hold',
    decoded({ ...HOLD, type: 'withdraw', of: 'hold/["*","*","*"]' }),
    /cannot be withdrawn/,
  ],
  ['that is null', decoded(null, HELD), /^not a decision of version 1/],
])('a decision %s is poison, with the reason', (_, read, why) => {
  expect(read).toEqual({ poison: expect.stringMatching(why) });
});

test('nothing it is given makes it throw', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const hostile = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(deep, JSON.stringify(HOLD).replace('{', `{"deep":${deep},`)),
  );
  fc.assert(
    fc.property(fc.string(), hostile, (key, value) => {
      expect(Object.keys(decodeControl({ key, value: Buffer.from(value) }))).not.toEqual([]);
    }),
  );
});
