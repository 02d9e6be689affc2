import type { SinkType } from './sink';

/**
 * The notification as it is: `notification.v1.schema.json`, `actions-notification.v1.schema.json`
 * in `contracts/schemas`.
 */
export const webhook: SinkType = {
  path: '',
  body: (notification) => notification,
  actionsBody: (notification) => notification,
};
