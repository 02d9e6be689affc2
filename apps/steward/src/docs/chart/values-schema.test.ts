import { RULES } from '@ovn-steward/judgement/rules/registry';
import { loadConfig } from '@ovn-steward/shared/settings/config';
import { sectionOf, settingsOf } from '@ovn-steward/shared/settings/config-schema';
import { meaningOf } from '@ovn-steward/shared/settings/setting-meanings';
import { Settings } from '@ovn-steward/shared/settings/settings';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { SET_BY_CHART } from './chart-settings';
import { type Schema, valuesSchema } from './values-schema';
import { valuesYaml } from './values-yaml';

const schema = valuesSchema();
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
const takes = (values: object): boolean => validate(values);
const at = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), value) as object;
const PATHS = settingsOf(sectionOf(Settings)).map(({ path }) => path);
const ofChart = (path: string): boolean =>
  SET_BY_CHART.some((it) => path === it || path.startsWith(`${it}.`));

test('the defaults are values', () => {
  expect(takes(parse(valuesYaml()) as object)).toBe(true);
  expect(validate.errors).toBeNull();
});

test('nothing has to be set', () => expect(takes({})).toBe(true));

describe('a setting', () => {
  const meanings = new Map<string, string | undefined>();
  const walk = (section: Schema, path: string): void => {
    for (const [name, child] of Object.entries(section.properties ?? {})) {
      meanings.set(`${path}${name}`, child.description);
      walk(child, `${path}${name}.`);
    }
  };
  walk(schema.properties!['settings']!, '');

  test.each(PATHS.filter((it) => !ofChart(it)))('%s can be set, and says what it means', (path) =>
    expect(meanings.get(path)).toEqual(expect.stringMatching(/\.$/)),
  );

  test.each(PATHS.filter(ofChart))('%s is set by the chart, and refused', (path) =>
    expect([meanings.has(path), takes({ settings: at(path, 'x') })]).toEqual([false, false]),
  );

  test('that is a secret, or a place in the container, is set by the chart', () => {
    const places = settingsOf(sectionOf(Settings)).filter(
      ({ path, secret }) =>
        secret ||
        /PEM file|[Aa] folder|local disk|kubeconfig|file that holds/.test(meaningOf(path)),
    );
    expect(places.length).toBeGreaterThan(12);
    expect(places.map(({ path }) => path).filter((it) => !ofChart(it))).toEqual([]);
  });

  test('of the chart is one there is', () =>
    expect(
      SET_BY_CHART.filter((it) => !PATHS.some((path) => path === it || path.startsWith(`${it}.`))),
    ).toEqual([]));
});

/**
 * What a process takes, the schema takes; what it refuses for what one setting looks like, the
 * schema refuses.
 */
describe('the schema and a process agree', () => {
  const processTakes = (settings: object): boolean => {
    try {
      loadConfig({ schema: Settings, env: { STEWARD_CONFIG: '' }, flags: flat(settings) });
      return true;
    } catch {
      return false;
    }
  };
  const flat = (value: object, path = ''): Record<string, unknown> =>
    Object.assign(
      {},
      ...Object.entries(value).map(([name, below]): Record<string, unknown> =>
        PATHS.includes(`${path}${name}`)
          ? { [`${path}${name}`]: below as unknown }
          : flat(below as object, `${path}${name}.`),
      ),
    ) as Record<string, unknown>;

  test.each<[string, unknown[], unknown[]]>([
    ['cluster', ['berlin-1', 'a'], ['', '-a', 'a b', 7]],
    ['grace.leak', ['15m', '1h30m', '0s', '500ms'], ['15', '', '-1m', '15 m', '1.5h', 15]],
    [
      'ovnNb.remote',
      ['tcp:ovn-nb.kube-system.svc:6641', 'tcp:10.0.0.1:1,tcp:[fd00::1]:2', 'unix:/run/nb.sock'],
      ['ovn:6641', 'tcp:ovn', 'tcp:a:1, tcp:b:2', 'tcp:a:1;tcp:b:2', ''],
    ],
    ['kafka.brokers', [[], ['kafka:9092'], ['[fd00::1]:9092']], [['kafka'], 'kafka', [9092]]],
    ['kafka.topicPrefix', ['east.steward.', 'a_'], ['east', '.', '', 'a b.']],
    ['kafka.replicationFactor', [1, 3], [0, '3', 1.5]],
    ['executor.mode', ['observe', 'enforce'], ['delete', '']],
    ['executor.approvers', [{ 'leaked-ip': 2 }], [{ 'leaked-ip': 0 }, { 'leaked-ip': '2' }]],
    ['executor.rate.perSecond', [0.2, 5], [0, -1, '5']],
    [
      'executor.windows',
      [[], ['Mon-Fri 22:00-06:00 Europe/Berlin', '22:00-06:00', 'Sat,Sun 00:00-24:00']],
      [['nights'], ['22-06'], ['22:00-06:00 +02:00'], '22:00-06:00 UTC UTC'],
    ],
    [
      'executor.freezes',
      [['2026-12-20T00:00Z/2027-01-03T00:00Z'], ['2026-12-20T00:00:00+01:00/2027-01-03T00:00Z']],
      [['2026-12-20/2027-01-03'], ['2026-12-20T00:00Z'], ['x/y']],
    ],
    ['protect', [[{ table: 'Port_Group' }], []], [[{ tabel: 'x' }], {}]],
    ['signing.required', [true, false], ['true', 1]],
  ])('about %s', (path, good, bad) => {
    const judged = (value: unknown): object => {
      const settings = at(path, value);
      return { value, schema: takes({ settings }), process: processTakes(settings) };
    };
    expect(good.map(judged)).toEqual(good.map((value) => ({ value, schema: true, process: true })));
    for (const value of bad) expect(judged(value)).toMatchObject({ value, schema: false });
  });
});

test('a rule nobody knows is refused by name', () => {
  expect(takes({ settings: { executor: { rules: { [RULES[0]!.id]: 'propose' } } } })).toBe(true);
  expect(takes({ settings: { executor: { rules: { 'leaked-ips': 'propose' } } } })).toBe(false);
  expect(takes({ settings: { executor: { approvers: { 'leaked-ips': 2 } } } })).toBe(false);
});

test('what Helm hands to charts inside others is let through', () =>
  expect(takes({ global: { imageRegistry: 'x' } })).toBe(true));

test('patterns are such that Go reads them, too', () => {
  const patterns = [...JSON.stringify(schema).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)];
  expect(patterns.length).toBeGreaterThan(20);
  // RE2 knows neither lookaround nor references back.
  expect(patterns.filter(([, it]) => /\(\?[=!<]|\\\\[1-9]/.test(it!))).toEqual([]);
});
