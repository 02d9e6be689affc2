import { Settings } from './settings';

const parse = (sink: object, name = 'chat') =>
  Settings.safeParse({ notify: { sinks: { [name]: sink } } });
const KAFKA = { type: 'kafka-binary', topic: 'events' };
const SLACK = { type: 'slack', url: 'https://hooks.example.org/x' };

test('has what a sink needs by default', () =>
  expect(parse(SLACK).data?.notify.sinks['chat']).toEqual({
    ...SLACK,
    about: ['findings'],
    routes: [],
    wait: 30_000,
    every: 300_000,
    perMinute: 20,
    timeout: 10_000,
  }));

test.each([
  ['neither URL nor file', { type: 'slack' }],
  ['both', { ...SLACK, urlFile: 'f' }],
  ['a URL that is none', { ...SLACK, url: 'hooks.example.org' }],
  ['another protocol', { ...SLACK, url: 'file:///etc/passwd' }],
  ['a type nobody knows', { ...SLACK, type: 'pager' }],
  ['a route that names nothing of its list', { ...SLACK, routes: [{ vpcs: [] }] }],
  ['a route with a word nobody knows', { ...SLACK, routes: [{ vpc: ['red'] }] }],
  ['a topic of a sink over HTTP', { ...SLACK, topic: 'events' }],
  ['Kafka without a topic', { type: 'kafka' }],
  ['a URL beside a topic', { ...KAFKA, url: 'http://a' }],
  ['a token beside a topic', { ...KAFKA, tokenFile: 'f' }],
  ['a kubeconfig beside a topic', { ...KAFKA, kubeconfig: 'f' }],
  ['a topic of Events', { type: 'kubernetes-events', topic: 'events' }],
  ['a topic that services read', { ...KAFKA, topic: 'steward.findings.v1' }],
  ['such a topic under another prefix', { ...KAFKA, topic: 'east.changes.v1' }],
  ['a name that no topic can have', { ...KAFKA, topic: 'a b' }],
  ['no rate', { ...SLACK, perMinute: 0 }],
])('refuses %s', (_, sink) => expect(parse(sink).success).toBe(false));

test.each([
  ['alertmanager', /takes findings only: .*\(OvnStewardActionFailed, OvnStewardExecutorRefuses\)/],
  ['ocsf', /takes findings only: .* add a sink of type webhook, cloudevents or kafka/],
])('a sink of type %s takes no actions, and says what does', (type, says) => {
  const sink = { type, url: 'http://a' };
  expect(parse({ ...sink, about: ['findings'] }).success).toBe(true);
  for (const about of [['actions'], ['findings', 'actions']])
    expect(parse({ ...sink, about }).error?.issues).toMatchObject([
      { path: ['notify', 'sinks', 'chat', 'about'], message: expect.stringMatching(says) },
    ]);
});

test('refuses a name that would not do as a label', () =>
  expect(parse(SLACK, 'Team Red').success).toBe(false));

test.each(['events', 'my-findings.v1x', 'findings', 'steward.events'])(
  'takes the topic %s, which no service reads',
  (topic) => expect(parse({ ...KAFKA, topic }).success).toBe(true),
);
