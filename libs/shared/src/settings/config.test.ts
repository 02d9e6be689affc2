import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from './config';
import { Duration } from './duration';
import { Failure } from '../errors';

const schema = z.strictObject({
  name: z.string().default('nobody'),
  stateDir: z.string().optional(),
  grace: z
    .strictObject({ leak: Duration.prefault('15m'), stuckFor: Duration.prefault('10m') })
    .prefault({}),
  kafka: z
    .strictObject({
      brokers: z.array(z.string()).default([]),
      password: z.string().min(8).meta({ secret: true }).optional(),
      port: z.int().max(65_535).default(9092),
      tls: z.boolean().default(true),
    })
    .prefault({}),
  rules: z
    .array(
      z.strictObject({ table: z.string(), labels: z.record(z.string(), z.string()).optional() }),
    )
    .default([]),
});

describe('loadConfig', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'config-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (text: string, name = 'steward.yaml'): string => {
    const file = join(directory, name);
    writeFileSync(file, text);
    return file;
  };
  const load = (
    sources: { file?: string; env?: Record<string, string>; flags?: Record<string, unknown> } = {},
  ) => loadConfig({ schema, env: {}, flags: {}, ...sources });
  const refusal = (sources: Parameters<typeof load>[0]): string => {
    try {
      load(sources);
    } catch (error) {
      if (error instanceof Failure && error.code === 'config-invalid') return error.message;
      throw error;
    }
    throw new Error('was accepted');
  };
  const at = (loaded: ReturnType<typeof load>, path: string) =>
    loaded.effective.find((it) => it.path === path);

  it('needs nothing but its defaults', () => {
    const loaded = load();
    expect(loaded.config).toEqual({
      name: 'nobody',
      grace: { leak: 900_000, stuckFor: 600_000 },
      kafka: { brokers: [], port: 9092, tls: true },
      rules: [],
    });
    expect(at(loaded, 'grace.leak')).toEqual({
      path: 'grace.leak',
      value: '15m',
      origin: 'default',
    });
    expect(at(loaded, 'stateDir')).toEqual({
      path: 'stateDir',
      value: undefined,
      origin: 'default',
    });
  });

  it('lets flags win over the environment, that over the file, that over the defaults, setting by setting', () => {
    const file = write(
      'name: from-file\nstateDir: /var/file\ngrace:\n  leak: 1m\n  stuckFor: 2m\nkafka:\n',
    );
    const loaded = load({
      file,
      env: {
        STEWARD_STATE_DIR: '/var/env',
        STEWARD_GRACE__LEAK: '3m',
        STEWARD_NAME: '',
        PATH: '/bin',
      },
      flags: { 'grace.leak': '4m', name: undefined },
    });
    expect(loaded.config).toMatchObject({
      name: 'from-file',
      stateDir: '/var/env',
      grace: { leak: 240_000, stuckFor: 120_000 },
      kafka: { port: 9092 },
    });
    expect(
      loaded.effective.map(({ path, value, origin }) => [path, value, origin]).slice(0, 4),
    ).toEqual([
      ['name', 'from-file', `file ${file}`],
      ['stateDir', '/var/env', 'environment STEWARD_STATE_DIR'],
      ['grace.leak', '4m', 'flag --grace.leak'],
      ['grace.stuckFor', '2m', `file ${file}`],
    ]);
  });

  it('reads JSON, and the file that the environment names', () => {
    const file = write(
      JSON.stringify({ name: 'json', rules: [{ table: 'NAT', labels: { __proto__x: 'y' } }] }),
      'steward.json',
    );
    expect(load({ env: { STEWARD_CONFIG: file } }).config).toMatchObject({
      name: 'json',
      rules: [{ table: 'NAT', labels: { __proto__x: 'y' } }],
    });
  });

  it('reads numbers, booleans and lists from text', () => {
    const env = {
      STEWARD_KAFKA__PORT: '19092',
      STEWARD_KAFKA__TLS: 'false',
      STEWARD_KAFKA__BROKERS: 'a:1, b:2',
      STEWARD_RULES: '[{"table": "NAT"}]',
      STEWARD_NAME: '123',
    };
    expect(load({ env }).config).toMatchObject({
      name: '123',
      kafka: { port: 19092, tls: false, brokers: ['a:1', 'b:2'] },
      rules: [{ table: 'NAT' }],
    });
  });

  it('names every unknown key, and the one that was meant', () => {
    const file = write('nmae: x\ngrace:\n  laek: 1m\nrules:\n- tabel: NAT\nzookeeper: 1\n');
    const message = refusal({
      file,
      env: { STEWARD_GRACE__LAEK: '1m' },
      flags: { 'kafka.prot': 1 },
    });
    expect(message).toContain(`file ${file}: unknown key "nmae"; did you mean "name"?`);
    expect(message).toContain('grace: unknown key "laek"; did you mean "leak"?');
    expect(message).toContain('rules.0: unknown key "tabel"; did you mean "table"?');
    expect(message).toContain(
      'unknown key "zookeeper"; known here: name, stateDir, grace, kafka, rules',
    );
    expect(message).toContain(
      'environment: unknown key "STEWARD_GRACE__LAEK"; did you mean "STEWARD_GRACE__LEAK"?',
    );
    expect(message).toContain('flag: unknown key "kafka.prot"; did you mean "kafka.port"?');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'takes %s for an unknown key like any other',
    (key) => {
      expect(refusal({ file: write(`{ "${key}": { "polluted": true } }`) })).toContain(
        `unknown key "${key}"`,
      );
      expect(refusal({ flags: Object.fromEntries([[key, 1]]) })).toContain(`unknown key "${key}"`);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  it('skips what Kubernetes sets for a Service named steward', () => {
    const env = {
      STEWARD_SERVICE_HOST: '10.96.0.7',
      STEWARD_SERVICE_PORT: '80',
      STEWARD_SERVICE_PORT_HTTP: '80',
      STEWARD_PORT: 'tcp://10.96.0.7:80',
      STEWARD_PORT_80_TCP: 'tcp://10.96.0.7:80',
      STEWARD_PORT_80_TCP_PROTO: 'tcp',
      STEWARD_ANALYZER_SERVICE_HOST: '10.96.0.8',
      STEWARD_TEST_OVN_NB: 'tcp:127.0.0.1:6641',
    };
    expect(load({ env }).config).toEqual(load().config);
    expect(refusal({ env: { STEWARD_KAKFA__PORT: '1' } })).toContain(
      'did you mean "STEWARD_KAFKA__PORT"',
    );
    expect(load({ env: { STEWARD_KAFKA__PORT: '1' } }).config.kafka.port).toBe(1);
  });

  it('says what is wrong with a value and where it was written, and does not quote it', () => {
    const message = refusal({
      file: write('grace:\n  leak: hunter2\nkafka:\n  password: hunter2\n'),
      env: { STEWARD_KAFKA__PORT: '99999', STEWARD_KAFKA__TLS: 'hunter2' },
    });
    expect(message).toMatch(/grace\.leak: not a duration.*\(file .*steward\.yaml\)/);
    expect(message).toMatch(/kafka\.password: .*\(file /);
    expect(message).toMatch(/kafka\.port: .*\(environment STEWARD_KAFKA__PORT\)/);
    expect(message).toMatch(/kafka\.tls: /);
    expect(message).not.toContain('hunter2');
  });

  it('masks secrets, whichever way they came', () => {
    for (const sources of [
      { file: write('kafka: {password: hunter2hunter2}') },
      { env: { STEWARD_KAFKA__PASSWORD: 'hunter2hunter2' } },
      { flags: { 'kafka.password': 'hunter2hunter2' } },
    ]) {
      const loaded = load(sources);
      expect(loaded.config.kafka.password).toBe('hunter2hunter2');
      expect(at(loaded, 'kafka.password')?.value).toBe('***');
      expect(JSON.stringify(loaded.effective)).not.toContain('hunter2');
    }
  });

  it.each([
    ['a missing file', undefined, /cannot be read: it does not exist; check the path\.$/],
    ['broken YAML', 'name: "hunter2\ngrace: [', /is not YAML, line \d/],
    ['a key given twice', 'name: hunter2\nname: b', /is not YAML, line 2: duplicate key/],
    ['a list', '- hunter2', /settings are expected, not a single value/],
    ['a value for a section', 'grace: hunter2', /grace: settings are expected below it/],
  ])('refuses %s, quoting none of it', (_, text, message) => {
    const file = text === undefined ? join(directory, 'absent.yaml') : write(text);
    expect(refusal({ file })).toMatch(message);
    expect(refusal({ file })).toContain(file);
    expect(refusal({ file })).not.toContain('hunter2');
  });

  it('takes an empty file for no settings', () => {
    expect(load({ file: write('# nothing yet\n') }).config).toEqual(load().config);
  });
});
