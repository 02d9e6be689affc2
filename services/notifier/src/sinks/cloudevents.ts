import type { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import type { SinkType } from './sink';

/**
 * The attributes of a notification as a CloudEvent, but for its content type. Sent again it has the
 * same `id`.
 */
export const attributesOf = (notification: Notification | ActionsNotification) => ({
  specversion: '1.0',
  id: notification.id,
  source: `urn:ovn-steward:notifier:${encodeURIComponent(notification.cluster)}`,
  type: `dev.ovn-steward.${documentOf(notification)}.v1`,
  subject: notification.group,
  time: notification.at,
  dataschema: `https://ovn-steward.dev/schemas/${documentOf(notification)}.v1.schema.json`,
});

const documentOf = (it: Notification | ActionsNotification): string =>
  'about' in it ? 'actions-notification' : 'notification';

const structured = (notification: Notification | ActionsNotification): object => ({
  ...attributesOf(notification),
  datacontenttype: 'application/json',
  data: notification,
});

/** A CloudEvent in structured mode: attributes and notification in one body. */
export const cloudevents: SinkType = {
  path: '',
  headers: () => ({ 'content-type': 'application/cloudevents+json' }),
  body: structured,
  actionsBody: structured,
};
