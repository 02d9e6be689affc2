import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@ovn-steward/shared/settings/config';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { assignments, words, type Stage } from './dockerfile';
import { readCompose, ROOT, STAGES, textOf, type ComposeService } from './repository';

const TEXT = textOf('docker-compose.yml');
const compose = readCompose(TEXT);
const services = Object.entries(compose.services);
const OF_OTHERS = ['kafka'];
const ours = services.filter(([name]) => !OF_OTHERS.includes(name));

const stageOf = (name: string | undefined): Stage | undefined =>
  STAGES.find((it) => it.name === name);
const lineage = (stage: Stage | undefined): Stage[] =>
  stage ? [...lineage(stageOf(stage.from)), stage] : [];
const inImage = ({ build }: ComposeService, name: string) =>
  lineage(stageOf(build?.target)).flatMap((it) =>
    it.instructions.filter((instruction) => instruction.name === name),
  );
const environmentOf = (service: ComposeService): Record<string, string> => ({
  ...Object.fromEntries(inImage(service, 'ENV').flatMap((it) => [...assignments(it)])),
  ...service.environment,
});

/** What docker-compose 1.29 takes as well as Compose v2; what is not used needs no place here. */
const KEYS = [
  'build',
  'cap_drop',
  'depends_on',
  'environment',
  'healthcheck',
  'image',
  'ports',
  'read_only',
  'restart',
  'security_opt',
  'stop_grace_period',
  'tmpfs',
  'user',
  'volumes',
];

describe('docker-compose.yml', () => {
  it('keeps to what every Compose reads', () => {
    expect(Object.keys(compose).filter((it) => !it.startsWith('x-'))).toEqual([
      'services',
      'volumes',
    ]);
    expect(
      services.flatMap(([name, service]) =>
        Object.keys(service)
          .filter((key) => !KEYS.includes(key))
          .map((key) => `${name}: ${key}`),
      ),
    ).toEqual([]);
  });

  it('runs Kafka, the demo cluster, the services and a subscriber', () => {
    expect(services.map(([name]) => name)).toEqual([
      'kafka',
      'demo',
      'collector',
      'analyzer',
      'executor',
      'findings',
    ]);
  });

  it.each(services)('gives %s no right it does not need, and starts it again', (name, service) => {
    expect([service.cap_drop, service.security_opt, service.restart]).toEqual([
      ['ALL'],
      ['no-new-privileges:true'],
      'unless-stopped',
    ]);
    if (OF_OTHERS.includes(name)) return;
    expect([service.read_only, service.user]).toEqual([
      true,
      inImage(service, 'USER').at(-1)?.rest,
    ]);
    expect(service.tmpfs?.map((mount) => mount.split(':')[0])).toEqual(['/tmp']);
  });

  it.each(ours)('builds %s from a target that is there', (_, { build }) => {
    expect(stageOf(build?.target)).toBeDefined();
    expect([build?.context, build?.dockerfile]).toEqual(['.', 'deploy/docker/Dockerfile']);
  });

  it('names each image after its target, and builds none twice', () => {
    expect(ours.map(([, it]) => it.image)).toEqual(
      ours.map(([, it]) => `ovn-steward/${it.build?.target}`),
    );
    expect(new Set(ours.map(([, it]) => it.image)).size).toBe(ours.length);
  });

  it.each(ours)('gives %s settings that exist and fit together', (_, service) => {
    const env = environmentOf(service);
    const settings = loadConfig({ schema: Settings, file: undefined, env, flags: {} });
    const given = Object.keys(env).filter((it) => it.startsWith('STEWARD_'));
    expect(settings.effective.filter((it) => it.origin !== 'default').length).toBe(given.length);
  });

  it.each(['collector', 'analyzer', 'executor'])(
    'points %s at the broker, whose topics it makes with as many copies as there are brokers',
    (name) => {
      const { kafka, http, stateDir } = loadConfig({
        schema: Settings,
        file: undefined,
        env: environmentOf(compose.services[name]!),
        flags: {},
      }).config;
      const {
        KAFKA_ADVERTISED_LISTENERS: listeners = '',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: copies,
      } = compose.services['kafka']!.environment!;
      expect(listeners.split(',')).toContain(`INSIDE://${kafka.brokers[0]}`);
      expect([kafka.replicationFactor, Number(copies)]).toEqual([1, 1]);
      expect(compose.services[name]!.ports).toEqual([
        expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:\\d+:${http.listen.split(':')[1]}$`)),
      ]);
      expect(compose.services[name]!.volumes).toContain(`${name}:${stateDir}`);
      expect(inImage(compose.services[name]!, 'VOLUME').map((it) => it.rest)).toEqual([stateDir]);
    },
  );

  it('gives the collector a recording and the address where the demo cluster listens', () => {
    const collector = compose.services['collector']!;
    const { ovnNb, kubernetes } = loadConfig({
      schema: Settings,
      file: undefined,
      env: environmentOf(collector),
      flags: {},
    }).config;
    const port = inImage(compose.services['demo']!, 'EXPOSE')[0]!.rest;
    expect(ovnNb.remote).toBe(`tcp:demo:${port}`);
    expect(collector.volumes).toContain(`./examples/recordings/leaky:${kubernetes.recording}:ro`);
  });

  it('publishes ports of this machine only, each once', () => {
    const ports = services.flatMap(([, it]) => it.ports ?? []);
    expect(ports.filter((it) => !/^127\.0\.0\.1:\d+:\d+$/.test(it))).toEqual([]);
    expect(new Set(ports.map((it) => it.split(':')[1])).size).toBe(ports.length);
  });

  it('mounts volumes it declares and folders that are there, these for reading only', () => {
    const mounts = services.flatMap(([, it]) => it.volumes ?? []);
    const named = mounts.filter((it) => !it.startsWith('.'));
    expect(named.map((it) => it.split(':')[0]).sort()).toEqual(Object.keys(compose.volumes).sort());
    expect(
      mounts.filter(
        (it) =>
          it.startsWith('.') && !(it.endsWith(':ro') && existsSync(join(ROOT, it.split(':')[0]!))),
      ),
    ).toEqual([]);
  });

  it('waits only for what can become healthy', () => {
    const awaited = new Set(services.flatMap(([, it]) => Object.keys(it.depends_on ?? {})));
    expect([...awaited].sort()).toEqual(['demo', 'kafka']);
    const tested = (it: ComposeService): boolean =>
      it.healthcheck?.test !== undefined || inImage(it, 'HEALTHCHECK').length > 0;
    expect([...awaited].filter((it) => !tested(compose.services[it]!))).toEqual([]);
    expect(
      services
        .flatMap(([, it]) => Object.values(it.depends_on ?? {}))
        .every((it) => it.condition === 'service_healthy'),
    ).toBe(true);
  });

  it('asks ovsdb-server for its health where it listens', () => {
    expect(
      words({
        rest: inImage(compose.services['demo']!, 'HEALTHCHECK')
          .at(-1)!
          .rest.replace(/^.*?CMD /, ''),
      }),
    ).toContain('tcp:127.0.0.1:6641');
  });
});
