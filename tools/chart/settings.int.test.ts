import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { parse } from 'yaml';
import { asProcess } from './as-process';
import { type Container, type PodSpec, podsOf, rendered } from './rendered';
import { KAFKA, NOTIFY, VALUE_SETS } from './value-sets';

const node = (argv: readonly string[], env: Readonly<Record<string, string>>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

/** Every text in a value, however deep. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** The files that a pod has, by where they are mounted; folders end in a slash. */
const filesOf = ({ volumes }: PodSpec, { volumeMounts = [] }: Container): readonly string[] =>
  volumeMounts.flatMap(({ name, mountPath }) => {
    const { secret } = (volumes.find((it) => it.name === name) ?? {}) as {
      secret?: { items: { path: string }[] };
    };
    return secret?.items.map(({ path }) => `${mountPath}/${path}`) ?? [mountPath, `${mountPath}/`];
  });

describeWith(helm, 'what the chart passes to the programs', () => {
  const containers = (values: object) => {
    const objects = rendered(values);
    return [...podsOf(objects)]
      .filter(([name]) => !name.endsWith('-test'))
      .flatMap(([, pod]) =>
        pod.containers.map((container) => ({
          pod,
          container,
          ...asProcess(objects, pod, container),
        })),
      );
  };

  describe.each(Object.entries(VALUE_SETS))('%s', (_, values) => {
    test('is understood by each program: settings, environment and arguments', () => {
      for (const { container, argv, env } of containers(values)) {
        const [program = '', ...args] = argv;
        if (program.endsWith('main.js')) {
          // Reads all it is given, describes its routes, and ends.
          expect({ name: container.name, ...node([...argv, '--openapi'], env) }).toMatchObject({
            name: container.name,
            status: 0,
            stderr: '',
          });
          continue;
        }
        expect(node([program, 'config'], env)).toMatchObject({ status: 0, stderr: '' });
        // The first option it does not know is named: none of the chart's.
        expect(node([program, ...args, '--not-of-the-chart'], env).stderr).toContain(
          "unknown option '--not-of-the-chart'",
        );
      }
    });

    test('names only files and folders that are mounted', () => {
      for (const { pod, container, env, settings } of containers(values)) {
        const named = [...textsIn(parse(readFileSync(settings, 'utf8'))), ...Object.values(env)]
          .filter((it) => /^\/(?:etc|var)\//.test(it))
          .filter((it) => it !== '/var/lib/steward');
        const has = filesOf(pod, container);
        expect({
          name: container.name,
          missing: named.filter(
            (it) => !has.some((file) => it === file || (file.endsWith('/') && it.startsWith(file))),
          ),
        }).toEqual({ name: container.name, missing: [] });
      }
    });
  });

  const settingsOf = (values: object, name: string): Record<string, unknown> => {
    const { data } = rendered(values).find(
      (it) => it.kind === 'ConfigMap' && it.metadata.name === name,
    )!;
    return parse(data!['steward.yaml']!) as Record<string, unknown>;
  };

  test('nobody hears of a system that is not his business', () => {
    expect(settingsOf(KAFKA, 'ovn-steward-analyzer')).toEqual({
      kafka: { brokers: ['kafka:9092'] },
    });
    expect(settingsOf(KAFKA, 'ovn-steward-executor')).not.toHaveProperty('ovnNb');
    expect(settingsOf({ guard: { vpcs: true } }, 'ovn-steward-guard')).toEqual({
      ovnNb: { remote: 'tcp:ovn-nb.kube-system.svc:6641' },
    });
  });

  test('the Southbound is read where the values say so, by the collector alone, as the Northbound is reached', () => {
    const read = { kubeOvn: { southbound: { read: true } } };
    expect(settingsOf({}, 'ovn-steward')).not.toHaveProperty('ovnSb');
    expect(settingsOf(read, 'ovn-steward')).toMatchObject({
      ovnSb: { remote: 'tcp:ovn-sb.kube-system.svc:6642' },
    });
    expect(
      settingsOf({ ...read, ovnTls: { use: 'always', secretName: 's' } }, 'ovn-steward'),
    ).toMatchObject({
      ovnSb: {
        remote: 'ssl:ovn-sb.kube-system.svc:6642',
        serverName: 'ovn',
        caCertificate: '/etc/ovn-steward/ovn/ca.pem',
        certificate: '/etc/ovn-steward/ovn/cert.pem',
        privateKey: '/etc/ovn-steward/ovn/key.pem',
      },
    });
    const elsewhere = {
      ovnTls: { use: 'always', secretName: 's' },
      settings: { ovnSb: { remote: 'ssl:sb:6642', verifyName: false } },
    };
    expect(settingsOf(elsewhere, 'ovn-steward')['ovnSb']).toEqual(
      expect.objectContaining({ remote: 'ssl:sb:6642', verifyName: false }),
    );
    expect(settingsOf(elsewhere, 'ovn-steward')['ovnSb']).not.toHaveProperty('serverName');
    const mixed = { ...elsewhere, settings: { ovnSb: { remote: 'tcp:sb:6642' } } };
    expect(() => settingsOf(mixed, 'ovn-steward')).toThrow(/reach both the same way/);
    const kafka = { ...KAFKA, ...read };
    expect(settingsOf(kafka, 'ovn-steward-collector')).toHaveProperty('ovnSb');
    for (const name of ['analyzer', 'executor'])
      expect(settingsOf(kafka, `ovn-steward-${name}`)).not.toHaveProperty('ovnSb');
    const guarding = { ...read, guard: { vpcs: true } };
    expect(settingsOf(guarding, 'ovn-steward-guard')).not.toHaveProperty('ovnSb');
  });

  test('who notifies knows the sinks, with the files of their Secrets, and nobody else does', () => {
    const values = { ...KAFKA, ...NOTIFY, settings: { ...KAFKA.settings, ...NOTIFY.settings } };
    const notify = {
      sinks: {
        alerts: { type: 'alertmanager', url: 'http://alertmanager.monitoring:9093' },
        'team-red': {
          type: 'slack',
          routes: [{ vpcs: ['red'] }],
          urlFile: '/etc/ovn-steward/sinks/team-red/url',
          tokenFile: '/etc/ovn-steward/sinks/team-red/token',
        },
      },
    };
    expect(settingsOf(values, 'ovn-steward-notifier')).toEqual({
      kafka: { brokers: ['kafka:9092'] },
      notify,
    });
    expect(settingsOf(NOTIFY, 'ovn-steward')).toMatchObject({ notify });
    for (const name of ['collector', 'analyzer', 'executor'])
      expect(settingsOf(values, `ovn-steward-${name}`)).not.toHaveProperty('notify');
  });

  test('an executor that acts names its cluster’s Northbound', () => {
    const values = VALUE_SETS['kafka, acting, with certificates of cert-manager']!;
    expect(settingsOf(values, 'ovn-steward-executor')).toMatchObject({
      ovnNb: { remote: 'tcp:ovn-nb.kube-system.svc:6641' },
      executor: { mode: 'enforce' },
      signing: {
        keyFile: '/etc/ovn-steward/signing/key.pem',
        trustedKeys: '/etc/ovn-steward/trusted-keys',
      },
    });
  });

  test('an analyzer knows whom to trust, and has no key to sign with', () => {
    const values = VALUE_SETS['kafka, acting, with certificates of cert-manager']!;
    expect(settingsOf(values, 'ovn-steward-analyzer')).toMatchObject({
      signing: { trustedKeys: '/etc/ovn-steward/trusted-keys' },
    });
    expect(settingsOf(values, 'ovn-steward-analyzer')['signing']).not.toHaveProperty('keyFile');
    const volumesOf = (name: string): string =>
      JSON.stringify(
        rendered(values).find((it) => it.kind === 'StatefulSet' && it.metadata.name === name)!.spec,
      );
    expect(volumesOf('ovn-steward-analyzer')).toContain('trusted-keys');
    expect(volumesOf('ovn-steward-analyzer')).not.toContain('executor-key');
    expect(volumesOf('ovn-steward-collector')).not.toContain('trusted-keys');
  });

  test('the name in the server’s certificate is Kube-OVN’s by default', () => {
    const remote = 'ssl:10.0.0.1:6641';
    const tls = (ovnNb: object, ovnTls: object = {}) =>
      settingsOf(
        { settings: { ovnNb: { remote, ...ovnNb } }, ovnTls: { secretName: 's', ...ovnTls } },
        'ovn-steward',
      )['ovnNb'];
    expect(tls({})).toMatchObject({
      serverName: 'ovn',
      caCertificate: '/etc/ovn-steward/ovn/ca.pem',
    });
    expect(tls({ serverName: 'nb.example' })).toMatchObject({ serverName: 'nb.example' });
    expect(tls({ verifyName: false })).not.toHaveProperty('serverName');
    expect(tls({}, { serverName: '' })).not.toHaveProperty('serverName');
  });

  test('a change of settings starts the pods again, and only those it concerns', () => {
    const sums = (settings: object): Record<string, unknown> =>
      Object.fromEntries(
        rendered({ ...KAFKA, settings: { ...KAFKA.settings, ...settings } })
          .filter(({ kind }) => kind === 'StatefulSet')
          .map(({ metadata, spec }) => [
            metadata.name,
            (spec as { template: { metadata: { annotations: object } } }).template.metadata
              .annotations,
          ]),
      );
    const before = sums({});
    expect(sums({})).toEqual(before);
    const after = sums({ ovnNb: { remote: 'tcp:elsewhere:6641' } });
    expect(after['ovn-steward-collector']).not.toEqual(before['ovn-steward-collector']);
    expect(after['ovn-steward-analyzer']).toEqual(before['ovn-steward-analyzer']);
  });
});
