import { readdirSync } from 'node:fs';
import { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { compose } from '../deliver/compose';
import { finding, NOW } from '../testing/findings';
import { alertmanager } from './alertmanager';
import { cloudevents } from './cloudevents';
import { cloudeventsBinary } from './cloudevents-binary';
import { binaryRecord } from './kafka-binary';
import { ocsf } from './ocsf';
import { SINKS } from './registry';
import { slack } from './slack';
import { webhook } from './webhook';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import { isCloudEvent } from '@ovn-steward/contracts/testing/is-cloud-event';

const DUE = { sink: 's', group: 'f'.repeat(64), delivered: undefined };
const hostile = '<!channel> & <https://evil|here>';
const open = compose(
  DUE,
  Array.from({ length: 7 }, (_, n) => finding(`${n}`.repeat(64), { summary: `${hostile} ${n}` })),
  NOW,
)!;
const over = compose({ ...DUE, delivered: { ...open, at: 1 } }, [], NOW)!;

test('the registry has every file of the folder, and every type of the settings', () => {
  const files = readdirSync(__dirname)
    .filter((it) => !/test|matches|registry|over-|^sink\.ts/.test(it))
    .map((it) => it.replace('.ts', ''))
    .sort();
  expect(Object.keys(SINKS)).toEqual(files);
  const needs = (type: string): object =>
    type.startsWith('kafka') ? { topic: 'a' } : { url: 'http://a' };
  for (const type of files)
    SinkSettings.parse({ type, ...(type !== 'kubernetes-events' && needs(type)) });
});

test('a sink of Kafka without brokers names the setting that is missing', () => {
  const sink = SinkSettings.parse({ type: 'kafka', topic: 'a' });
  expect(() => SINKS.kafka(sink, Settings.parse({}))).toThrow(/kafka\.brokers/);
});

test('a webhook gets the notification', () => expect(webhook.body(open.last)).toBe(open.last));

test('Slack gets lines, without markup of others, and what to type', () => {
  const { text } = slack.body(open.last) as { text: string };
  expect(text.split('\n')).toEqual([
    `WARNING 7 findings: Pod shop/web-0 no longer exists (cluster berlin-1, since ${finding('a').firstSeen})`,
    ...[0, 1, 2, 3, 4].map((n) => `- &lt;!channel&gt; &amp; &lt;https://evil|here&gt; ${n}`),
    '- and 2 more',
    `steward explain ${'0'.repeat(12)}`,
  ]);
  expect(slack.body(over.last)).toEqual({
    text: expect.stringMatching(/^RESOLVED 7 findings: Pod shop\/web-0 no longer exists \(/),
  });
});

test('Alertmanager gets one alert a group and severity, which ends when resolved or when it is sent no more', () => {
  const [alert] = alertmanager.body(open.last) as { labels: object; endsAt: string }[];
  const [end] = alertmanager.body(over.last) as (typeof alert)[];
  expect(alert).toMatchObject({
    labels: {
      alertname: 'OvnStewardFindings',
      cluster: 'berlin-1',
      severity: 'warning',
      group: 'f'.repeat(16),
      cause: 'Pod shop/web-0',
    },
    startsAt: finding('a').firstSeen,
  });
  expect(Date.parse(alert!.endsAt)).toBeGreaterThan(NOW.getTime() + 2 * alertmanager.againEveryMs!);
  expect(end!.labels).toEqual(alert!.labels);
  expect(Date.parse(end!.endsAt)).toBe(NOW.getTime());
});

/** As a receiver puts it together (CloudEvents HTTP Protocol Binding 1.0.2, 3.1). */
const received = (headers: Readonly<Record<string, string>>, data: unknown): object => ({
  ...Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('ce-') ? [[name.slice(3), decodeURIComponent(value)]] : [],
    ),
  ),
  datacontenttype: headers['content-type'],
  data,
});
const BINARY = cloudeventsBinary;
const foreign: Notification = { ...open.last, cluster: 'Zürich "1" 100%' };

test('a CloudEvent is one by the schema, in one body or with its attributes as headers', () => {
  for (const notification of [open.last, over.last, foreign]) {
    const structured = cloudevents.body(notification);
    expect(isCloudEvent(structured)).toBe(true);
    expect(cloudevents.headers!(notification)['content-type']).toBe('application/cloudevents+json');
    const headers = BINARY.headers!(notification);
    for (const value of Object.values(headers)) expect(value).toMatch(/^[!-~]*$/);
    expect(received(headers, BINARY.body(notification))).toEqual(structured);
  }
  expect(isCloudEvent({ ...(cloudevents.body(open.last) as object), id: '' })).toBe(false);
});

test('on a topic it is the same event, with headers in UTF-8', () => {
  for (const notification of [open.last, over.last, foreign]) {
    const { 'content-type': datacontenttype, ...headers } = binaryRecord.headers!(notification);
    const attributes = Object.entries(headers).map(([name, value]) => {
      expect(name).toMatch(/^ce_[a-z]+$/);
      return [name.slice(3), value] as const;
    });
    const event = {
      ...Object.fromEntries(attributes),
      datacontenttype,
      data: binaryRecord.body(notification),
    };
    expect(event).toEqual(cloudevents.body(notification));
    expect(isCloudEvent(event)).toBe(true);
  }
});

test('OCSF gets one detection of the group', () => {
  expect(ocsf.body(open.last)).toMatchObject({
    class_uid: 2004,
    finding_info: { uid: open.last.group },
    metadata: { uid: open.last.id },
  });
});
