import { loadConfig } from './config';
import { Settings } from './settings';

const load = (flags: Record<string, unknown> = {}) =>
  loadConfig({ schema: Settings, env: {}, flags }).config;

const EXECUTOR = {
  mode: 'observe',
  approvers: {},
  rules: {},
  rate: { perSecond: 5, burst: 10 },
  windows: [],
  finishWithin: 600_000,
  freezes: [],
  proofAge: 5000,
  ceilings: {
    rule: { least: 10, share: 0.01, most: 500 },
    subnet: { least: 5, share: 0.1, most: 200 },
    vpc: { least: 10, share: 0.05, most: 500 },
    cluster: { least: 20, share: 0.02, most: 1000 },
  },
  yield: { afterLease: 600_000, afterTaken: 360_000, taken: 3 },
  guard: { vpcFinalizer: false, podGates: false, podGateTimeout: 1_800_000 },
  kubeOvn: { namespace: 'kube-system', lease: 'kube-ovn-controller' },
};

describe('Settings', () => {
  it('stand on their own', () => {
    expect(load()).toEqual({
      cluster: 'default',
      stateDir: '.steward',
      uninstalled: [],
      rules: [],
      ovnNb: {},
      ovnSb: {},
      kubernetes: {},
      protect: [],
      notify: { sinks: {} },
      http: {
        listen: '127.0.0.1:9470',
        tls: {},
        decisions: {},
        auth: {
          by: 'off',
          audiences: [],
          plaintext: false,
          oidc: { userClaim: 'sub', groupsClaim: 'groups', prefix: 'oidc:' },
        },
      },
      grace: {
        garbage: 900_000,
        leak: 900_000,
        drift: 600_000,
        stuck: 600_000,
        misplaced: 600_000,
        missing: 120_000,
        damage: 0,
      },
      kafka: {
        brokers: [],
        clientId: 'ovn-steward',
        topicPrefix: 'steward.',
        replicationFactor: 3,
        tls: { enabled: false },
        sasl: { plaintext: false },
      },
      lease: { enabled: 'auto', duration: 15_000 },
      executor: EXECUTOR,
      backup: { every: 3_600_000, keep: 24 },
      log: { level: 'info', format: 'json' },
      signing: { required: true },
      shutdown: { deadline: 25_000 },
    });
  });

  it.each([
    'tcp:127.0.0.1:6641',
    'unix:/run/ovn/ovnnb_db.sock',
    'tcp:[fd00::1]:6641,tcp:ovn-1.example:6641',
  ])('take %s for a database', (remote) => {
    expect(load({ 'ovnNb.remote': remote }).ovnNb).toEqual({ remote });
  });

  it.each([
    '127.0.0.1:6641',
    'http://10.0.0.1',
    'tcp:10.0.0.1',
    'tcp:10.0.0.1:6641,',
    'tcp:fd00::1:6641',
    'ptcp:6641',
  ])('refuse %s for a database', (remote) => {
    expect(() => load({ 'ovnSb.remote': remote })).toThrow(/ovnSb\.remote: not an OVSDB remote/);
  });

  it('want the files that TLS needs', () => {
    expect(() => load({ 'ovnNb.remote': 'ssl:10.0.0.1:6641' })).toThrow(
      /ovnNb\.caCertificate: needed/,
    );
    expect(() => load({ 'ovnNb.privateKey': 'key.pem' })).toThrow(/ovnNb\.certificate: needed/);
    expect(() => load({ 'ovnNb.certificate': 'cert.pem' })).toThrow(/ovnNb\.privateKey: needed/);
    expect(
      load({
        'ovnNb.remote': 'ssl:10.0.0.1:6641',
        'ovnNb.privateKey': 'k',
        'ovnNb.certificate': 'c',
        'ovnNb.caCertificate': 'ca',
      }).ovnNb.caCertificate,
    ).toBe('ca');
  });

  it('protect by exact text or expression, and never everything by mistake', () => {
    const [entry] = load({
      protect: [{ table: 'NAT', name: '/^legacy-/', externalIds: { owner: 'team-a' } }],
    }).protect;
    expect([
      entry?.table?.test('NAT'),
      entry?.table?.test('NATS'),
      entry?.name?.test('legacy-1'),
      entry?.externalIds?.['owner']?.test('team-a'),
    ]).toEqual([true, false, true, true]);
    expect(() => load({ protect: [{}] })).toThrow(/protect\.0: names nothing/);
    expect(() => load({ protect: [{ externalIds: {} }] })).toThrow(/names nothing/);
    expect(() => load({ protect: [{ tabel: 'NAT' }] })).toThrow(/did you mean "table"/);
  });

  it('take modes, limits and times of the executor as text', () => {
    const env = {
      STEWARD_EXECUTOR__MODE: 'propose',
      STEWARD_EXECUTOR__RULES: '{"leaked-ip": "enforce"}',
      STEWARD_EXECUTOR__RATE__PER_SECOND: '0.2',
      STEWARD_EXECUTOR__CEILINGS__VPC__SHARE: '0.5',
      STEWARD_EXECUTOR__WINDOWS: '["Mon,Tue 22:00-06:00 Europe/Berlin", Sat 00:00-24:00]',
      STEWARD_EXECUTOR__KUBE_OVN__NAMESPACE: 'network',
    };
    const { executor } = loadConfig({
      schema: Settings,
      env,
      flags: {
        'executor.rate.burst': '1',
        'executor.freezes': '2026-12-20T00:00Z/2027-01-03T00:00Z',
        'executor.yield.afterLease': '1h',
      },
    }).config;
    expect(executor).toMatchObject({
      mode: 'propose',
      rules: { 'leaked-ip': 'enforce' },
      rate: { perSecond: 0.2, burst: 1 },
      ceilings: { vpc: { least: 10, share: 0.5, most: 500 } },
      yield: { afterLease: 3_600_000 },
      kubeOvn: { namespace: 'network' },
    });
    expect([executor.windows.map((it) => it.zone), executor.freezes.map((it) => it.from)]).toEqual([
      ['Europe/Berlin', 'UTC'],
      [Date.UTC(2026, 11, 20)],
    ]);
  });

  it.each([
    ['executor.mode', 'delete', /executor\.mode: /],
    ['executor.rules', '{"leaked-ip": "on"}', /executor\.rules\.leaked-ip: /],
    ['executor.rate.perSecond', 0, /executor\.rate\.perSecond: /],
    ['executor.rate.burst', 0.5, /executor\.rate\.burst: /],
    ['executor.ceilings.vpc.share', 1.1, /executor\.ceilings\.vpc\.share: /],
    ['executor.ceilings.vpc.least', 501, /executor\.ceilings\.vpc\.least: more than most/],
    ['executor.windows', 'Mon 25:00-26:00', /executor\.windows\.0: its times are none/],
    [
      'executor.windows',
      '22:00-06:00, 01:00-02:00 Mars',
      /executor\.windows\.1: its time zone is none/,
    ],
    ['executor.freezes', 'always', /executor\.freezes\.0: not a time with/],
    ['executor.kubeOvn.lease', '../x', /executor\.kubeOvn\.lease: not an object name/],
  ])('refuse %s = %j', (path, value, message) => {
    expect(() => load({ [path]: value })).toThrow(message);
  });

  it('refuse a name for a certificate whose name nobody checks', () => {
    expect(() => load({ 'ovnNb.serverName': 'ovn', 'ovnNb.verifyName': false })).toThrow(
      /ovnNb\.serverName: verifyName is false/,
    );
    expect(load({ 'ovnNb.verifyName': 'false' }).ovnNb).toEqual({ verifyName: false });
  });

  const plain = { 'kafka.sasl.mechanism': 'plain', 'kafka.sasl.username': 'u' };

  it('refuse a password that would go over the network in clear text, and say what allows it', () => {
    const login = { ...plain, 'kafka.sasl.password': 'hunter2' };
    expect(() => load(login)).toThrow(
      /kafka\.sasl\.mechanism: plain sends the password in clear text.*kafka\.tls\.enabled is false.*kafka\.sasl\.plaintext to true/,
    );
    expect(() => load({ ...login, 'kafka.sasl.plaintext': false })).toThrow(/clear text/);
    expect(load({ ...login, 'kafka.tls.enabled': true }).kafka.sasl.mechanism).toBe('plain');
    expect(load({ ...login, 'kafka.sasl.plaintext': true }).kafka.sasl.mechanism).toBe('plain');
  });

  it.each([
    ['cluster', 'a/b'],
    ['cluster', ''],
    ['http.listen', '9470'],
    ['grace.leak', 15],
  ])('refuse %s = %j', (path, value) => {
    expect(() => load({ [path]: value })).toThrow(
      expect.objectContaining({ code: 'config-invalid' }),
    );
  });
});

describe('Backups', () => {
  it('keep at least one, and are not taken without pause', () => {
    expect(
      load({ 'backup.folder': '/var/backups', 'backup.every': '30m', 'backup.keep': '7' }).backup,
    ).toEqual({ folder: '/var/backups', every: 1_800_000, keep: 7 });
    expect(() => load({ 'backup.keep': '0' })).toThrow(/backup\.keep/);
    expect(() => load({ 'backup.every': '500ms' })).toThrow(/backup\.every: less than a second/);
  });
});
