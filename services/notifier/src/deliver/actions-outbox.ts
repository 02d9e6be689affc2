import type { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import type { ActionsToSend } from '../store/actions-to-send';
import { composeActions } from './compose-actions';
import type { Outbox } from './outbox';

/** The actions that each sink is to be sent, each once. */
export const actionsOutbox = (store: ActionsToSend): Outbox => ({
  next({ name, settings }) {
    const due = store.next(name);
    if (due === undefined) return undefined;
    return {
      at: due.at,
      failures: due.failures,
      compose(now) {
        const notification = due.pending ?? composeActions(due, store.actions(due), now);
        if (notification === undefined) {
          store.settled(due);
          return undefined;
        }
        store.compose(due, notification);
        return { about: 'actions', notification };
      },
      delivered: ({ notification }, at) =>
        store.recordDelivered(due, notification as ActionsNotification, at + settings.every),
      postponed: (at) => store.postponed(due, at),
    };
  },
});
