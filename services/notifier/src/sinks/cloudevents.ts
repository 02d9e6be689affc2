import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import type { SinkType } from './sink';

/** The attributes of a notification as a CloudEvent, but for its content type. Sent again it has the same `id`. */
export const attributesOf = ({ id, cluster, group, at }: Notification) => ({
  specversion: '1.0',
  id,
  source: `urn:ovn-steward:notifier:${encodeURIComponent(cluster)}`,
  type: 'dev.ovn-steward.notification.v1',
  subject: group,
  time: at,
  dataschema: 'https://ovn-steward.dev/schemas/notification.v1.schema.json',
});

/** A CloudEvent in structured mode: attributes and notification in one body. */
export const cloudevents: SinkType = {
  path: '',
  headers: () => ({ 'content-type': 'application/cloudevents+json' }),
  body: (it) => ({ ...attributesOf(it), datacontenttype: 'application/json', data: it }),
};
