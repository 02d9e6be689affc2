import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sectionOf, settingsOf } from '@ovn-steward/shared/settings/config-schema';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { serviceSettings } from './service-settings';

const IDENTITY = {
  name: 'sampler',
  command: 'steward-sampler',
  version: '1.2.3',
  description: 'samples.',
  listen: '127.0.0.1:1234',
};

const requested = (argv: readonly string[], env: Record<string, string> = {}) =>
  serviceSettings(IDENTITY, argv, env);
const settings = (argv: readonly string[], env?: Record<string, string>): Settings => {
  const request = requested(argv, env);
  if ('print' in request) throw new Error(request.print);
  return request.settings;
};
const refusal = (...argv: string[]): string => {
  try {
    requested(argv);
  } catch (error) {
    expect(error).toMatchObject({ code: 'config-invalid' });
    return (error as Error).message;
  }
  throw new Error('was accepted');
};

test('any setting is a flag by its path, after a space or an equals sign', () => {
  expect(
    settings([
      '--kafka.brokers',
      'a:1,b:2',
      '--kafka.replicationFactor=1',
      '--grace.leak=1h',
      '--kafka.tls.enabled',
      '--log.level',
      'debug',
    ]),
  ).toMatchObject({
    kafka: { brokers: ['a:1', 'b:2'], replicationFactor: 1, tls: { enabled: true } },
    grace: { leak: 3_600_000 },
    log: { level: 'debug' },
  });
  expect(settings(['--kafka.tls.enabled', 'false']).kafka.tls.enabled).toBe(false);
  expect(
    settings(['--kafka.tls.enabled', 'true', '--cluster=a=b'.replace('a=b', 'x')]).cluster,
  ).toBe('x');
});

test('flags win over the environment, that over the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-settings-'));
  try {
    const file = join(folder, 'settings.yaml');
    writeFileSync(file, 'cluster: file\nstateDir: /file\nkafka: { clientId: file }\n');
    expect(
      settings(['--config', file, '--cluster', 'flag'], {
        STEWARD_CLUSTER: 'env',
        STEWARD_STATE_DIR: '/env',
      }),
    ).toMatchObject({ cluster: 'flag', stateDir: '/env', kafka: { clientId: 'file' } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('each service listens where it says by default', () => {
  expect(settings([]).http.listen).toBe('127.0.0.1:1234');
  expect(settings([], { STEWARD_HTTP__LISTEN: '0.0.0.0:80' }).http.listen).toBe('0.0.0.0:80');
  expect(settings(['--http.listen', '127.0.0.1:9470']).http.listen).toBe('127.0.0.1:9470');
});

test('a flag nobody knows is one sentence that names the nearest', () => {
  expect(refusal('--kafka.brokrs', 'a:1')).toBe(
    'There is no setting --kafka.brokrs; did you mean --kafka.brokers? steward-sampler --help lists all settings.',
  );
  expect(refusal('--constructor', 'x')).toBe(
    'There is no setting --constructor. steward-sampler --help lists all settings.',
  );
  expect(refusal('run')).toMatch(/^"run" is no flag/);
  expect(refusal('--cluster')).toMatch(/^--cluster needs a value\./);
  expect(refusal('--cluster', 'a', '--cluster=b')).toMatch(/^--cluster is given twice\./);
  expect(refusal('--kafka', 'a:1')).toMatch(/no setting --kafka/);
});

test('a wrong value is refused without being shown', () => {
  expect(refusal('--kafka.sasl.mechanism', 'hunter2')).not.toContain('hunter2');
});

test('help has every setting with its default and its variable; the version is alone', () => {
  const help = requested(['--cluster', 'x', '--help']) as { print: string };
  for (const { path } of settingsOf(sectionOf(Settings)))
    expect(help.print).toContain(`\n  --${path}`);
  expect(help.print).toContain('--http.listen (127.0.0.1:1234)\n');
  expect(help.print).toContain('--grace.leak (15m)\n');
  expect(help.print).toContain('\n      STEWARD_KAFKA__BROKERS\n');
  expect(requested(['--version'])).toEqual({ print: '1.2.3\n' });
});
