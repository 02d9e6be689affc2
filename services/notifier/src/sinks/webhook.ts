import type { SinkType } from './sink';

/** The notification as it is: `contracts/schemas/notification.v1.schema.json`. */
export const webhook: SinkType = { path: '', body: (notification) => notification };
