import { loadConfig } from './config';
import { FindingClass } from './events/finding';
import { Settings } from './settings';

const load = (flags: Record<string, unknown> = {}) => loadConfig({ schema: Settings, env: {}, flags }).config;

describe('Settings', () => {
  it('stand on their own', () => {
    expect(load()).toEqual({
      cluster: 'default', stateDir: '.steward', ovnNb: {}, ovnSb: {}, kubernetes: {}, protect: [], http: { listen: '127.0.0.1:9470' },
      grace: { garbage: 900_000, leak: 900_000, drift: 600_000, stuck: 600_000, misplaced: 600_000, missing: 120_000, damage: 0 },
      kafka: { brokers: [], clientId: 'ovn-steward', replicationFactor: 3, tls: { enabled: false }, sasl: {} }, lease: { enabled: 'auto', duration: 15_000 },
      log: { level: 'info', format: 'json' }, shutdown: { deadline: 25_000 },
    });
  });

  it('have a grace for every class of finding', () => {
    expect(Object.keys(load().grace).sort()).toEqual([...FindingClass.options].sort());
  });

  it.each(['tcp:127.0.0.1:6641', 'unix:/run/ovn/ovnnb_db.sock', 'tcp:[fd00::1]:6641,tcp:ovn-1.example:6641'])('take %s for a database', (remote) => {
    expect(load({ 'ovnNb.remote': remote }).ovnNb).toEqual({ remote });
  });

  it.each(['127.0.0.1:6641', 'http://10.0.0.1', 'tcp:10.0.0.1', 'tcp:10.0.0.1:6641,', 'tcp:fd00::1:6641', 'ptcp:6641'])('refuse %s for a database', (remote) => {
    expect(() => load({ 'ovnSb.remote': remote })).toThrow(/ovnSb\.remote: not an OVSDB remote/);
  });

  it('want the files that TLS needs', () => {
    expect(() => load({ 'ovnNb.remote': 'ssl:10.0.0.1:6641' })).toThrow(/ovnNb\.caCertificate: needed/);
    expect(() => load({ 'ovnNb.privateKey': 'key.pem' })).toThrow(/ovnNb\.certificate: needed/);
    expect(() => load({ 'ovnNb.certificate': 'cert.pem' })).toThrow(/ovnNb\.privateKey: needed/);
    expect(load({ 'ovnNb.remote': 'ssl:10.0.0.1:6641', 'ovnNb.privateKey': 'k', 'ovnNb.certificate': 'c', 'ovnNb.caCertificate': 'ca' }).ovnNb.caCertificate).toBe('ca');
  });

  it('protect by exact text or expression, and never everything by mistake', () => {
    const [entry] = load({ protect: [{ table: 'NAT', name: '/^legacy-/', externalIds: { owner: 'team-a' } }] }).protect;
    expect([entry?.table?.test('NAT'), entry?.table?.test('NATS'), entry?.name?.test('legacy-1'), entry?.externalIds?.['owner']?.test('team-a')]).toEqual([true, false, true, true]);
    expect(() => load({ protect: [{}] })).toThrow(/protect\.0: names nothing/);
    expect(() => load({ protect: [{ externalIds: {} }] })).toThrow(/names nothing/);
    expect(() => load({ protect: [{ tabel: 'NAT' }] })).toThrow(/did you mean "table"/);
  });

  it.each([['cluster', 'a/b'], ['cluster', ''], ['http.listen', '9470'], ['grace.leak', 15]])('refuse %s = %j', (path, value) => {
    expect(() => load({ [path]: value })).toThrow(expect.objectContaining({ code: 'config-invalid' }));
  });
});
