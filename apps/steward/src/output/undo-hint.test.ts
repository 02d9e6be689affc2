import { undoHint } from './undo-hint';

test('where nothing was said, nothing is to be said', () =>
  expect(undoHint('c0ffee', {})).toBe('steward undo c0ffee'));

test('says again where the log, the settings and the systems are, and nothing else', () => {
  const options = {
    stateDir: '/var/lib/steward',
    config: 'steward.yaml',
    cluster: 'berlin-1',
    ovnNb: 'ssl:10.0.0.1:6641,ssl:10.0.0.2:6641',
    ovnCa: 'ca.pem',
    kubernetes: 'kubeconfig',
    by: 'anna',
    rule: ['leaked-ip'],
    look: true,
  };
  expect(undoHint('c0ffee', options)).toBe(
    'steward undo c0ffee --state-dir /var/lib/steward --config steward.yaml --cluster berlin-1 --ovn-nb ssl:10.0.0.1:6641,ssl:10.0.0.2:6641 --ovn-ca ca.pem --kubernetes kubeconfig',
  );
  expect(undoHint('c0ffee', { kafkaBrokers: 'kafka-1:9092' })).toBe(
    'steward undo c0ffee --kafka-brokers kafka-1:9092',
  );
});
