import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { template } from './rendered';
import { KAFKA, NOTIFY } from './value-sets';

const sink = (options: object, secret?: object) => ({
  settings: { notify: { sinks: { chat: { type: 'slack', ...options } } } },
  ...(secret && { notifier: { secrets: { chat: secret } } }),
});
const ON_TOPIC = sink({ type: 'kafka', topic: 'events' }, { name: 's', tokenKey: 't' });
const ACTS = { settings: { executor: { mode: 'enforce' } } } as const;

describeWith(helm, 'values that Helm refuses', () => {
  test.each<[object, string]>([
    [{ mod: 'kafka' }, "additional properties 'mod' not allowed"],
    [{ mode: 'both' }, '/mode'],
    [{ settings: { grace: { leek: '1h' } } }, "additional properties 'leek' not allowed"],
    [{ settings: { grace: { leak: 15 } } }, '/settings/grace/leak'],
    [{ settings: { grace: { leak: '15 minutes' } } }, '/settings/grace/leak'],
    [{ settings: { ovnNb: { remote: '10.0.0.1:6641' } } }, '/settings/ovnNb/remote'],
    [{ settings: { kafka: { brokers: ['kafka'] } } }, '/settings/kafka/brokers/0'],
    [{ settings: { kafka: { topicPrefix: 'east' } } }, '/settings/kafka/topicPrefix'],
    [{ settings: { executor: { mode: 'delete' } } }, '/settings/executor/mode'],
    [{ settings: { executor: { rules: { 'leaked-ips': 'enforce' } } } }, 'leaked-ips'],
    [{ settings: { executor: { windows: ['nights'] } } }, '/settings/executor/windows/0'],
    [{ settings: { stateDir: '/data' } }, "additional properties 'stateDir' not allowed"],
    [
      { settings: { kafka: { sasl: { password: 'hunter2' } } } },
      "additional properties 'password' not allowed",
    ],
    [{ collector: { replicas: 13 } }, '/collector/replicas'],
    [{ embedded: { replicas: 2 } }, "additional properties 'replicas' not allowed"],
    [{ backup: { size: 'large' } }, '/backup/size'],
    [{ image: { digests: { executor: 'sha256:5e5e' } } }, '/image/digests/executor'],
    [{ image: { digests: { guard: '' } } }, "additional properties 'guard' not allowed"],
    [sink({ type: 'pager' }), '/settings/notify/sinks/chat/type'],
    [sink({ type: 'kafka', topic: 'a b' }), '/settings/notify/sinks/chat/topic'],
    [sink({}, {}), '/notifier/secrets/chat'],
    [{ notifier: { replicas: 2 } }, "additional properties 'replicas' not allowed"],
  ])('%j: by the schema', (values, says) => {
    const { status, stderr } = template(values);
    expect({ status, says: stderr.replaceAll('"', "'") }).toEqual({
      status: 1,
      says: expect.stringContaining(says),
    });
  });

  test.each<[object, string]>([
    [{ mode: 'kafka' }, 'Mode kafka needs brokers'],
    [{ settings: KAFKA.settings }, 'settings.kafka.brokers is for mode kafka'],
    [{ ...ACTS, rights: { executor: 'never' } }, 'rights.executor is never'],
    [{ rights: { pods: true } }, 'neither is on'],
    [{ guard: { pods: true } }, 'set rights.pods to true'],
    [{ settings: { executor: { guard: { vpcFinalizer: true } } } }, 'has no rights'],
    [{ ...KAFKA, rights: { executor: 'always' } }, 'signing.secretName'],
    [{ ...KAFKA, backup: { enabled: true } }, 'takes no backups'],
    [{ ovnTls: { use: 'always' } }, 'is not seen (helm template sees no cluster)'],
    [
      { ovnTls: { use: 'always' }, settings: { ovnNb: { remote: 'tcp:ovn:6641' } } },
      'ovnTls.use is always',
    ],
    [{ ...KAFKA, kafka: { authentication: 'plain' } }, 'kafka.clients.collector.username'],
    [{ ...KAFKA, kafka: { authentication: 'tls' } }, 'kafka.clients.collector.secretName'],
    [{ mode: 'kafka', kafka: { strimzi: { enabled: true } } }, 'kafka.strimzi.cluster'],
    [
      { mode: 'kafka', kafka: { strimzi: { enabled: true, cluster: 'events' } } },
      'logs in by scram-sha-512 or tls',
    ],
    [
      {
        mode: 'kafka',
        kafka: {
          authentication: 'scram-sha-512',
          strimzi: { enabled: true, cluster: 'events', namespace: 'kafka' },
        },
      },
      'name the copy in kafka.clients.collector.secretName',
    ],
    [
      { metrics: { serviceMonitor: { enabled: true }, podMonitor: { enabled: true } } },
      'scrape all twice',
    ],
    [{ ...KAFKA, pod: { hostNetwork: true } }, 'is for mode embedded'],
    [{ pod: { hostNetwork: true } }, 'so that they must log in'],
    [sink({ url: 'https://a', tokenFile: '/t' }), 'names a file, which no pod has'],
    [sink({}), 'notifier.secrets.chat.urlKey'],
    [sink({ url: 'https://a' }, { name: 's', urlKey: 'u' }), 'needs either'],
    [sink({ url: 'https://a' }, { name: 's' }), 'neither urlKey nor tokenKey'],
    [sink({ type: 'kafka', topic: 'events' }), 'mode embedded has no brokers'],
    [
      { ...KAFKA, ...ON_TOPIC, settings: { ...KAFKA.settings, ...ON_TOPIC.settings } },
      'logs in as the notifier does',
    ],
    [{ notifier: NOTIFY.notifier }, 'settings.notify.sinks has no team-red'],
    [
      {
        ...NOTIFY,
        mode: 'kafka',
        settings: { ...KAFKA.settings, ...NOTIFY.settings },
        kafka: {
          authentication: 'tls',
          clients: Object.fromEntries(
            ['collector', 'analyzer', 'executor'].map((it) => [it, { secretName: it }]),
          ),
        },
      },
      'kafka.clients.notifier.secretName',
    ],
  ])('%j: with a sentence', (values, says) => {
    const { status, stderr } = template(values);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(says) });
  });
});
