import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { matches } from '../sinks/matches';
import type { Due, NotifierStore, Pending } from '../store/notifier-store';
import type { Sender } from '../send/sender';
import { compose } from './compose';
import type { Outbox, Sink } from './outbox';

/**
 * How the groups of findings stand that each sink wants. `ready`: the partitions that were read to
 * their end.
 */
export const findingsOutbox = (store: NotifierStore, ready: () => readonly number[]): Outbox => ({
  next(sink, sender) {
    const due = sink.settings.about.includes('findings')
      ? store.next(sink.name, ready())
      : undefined;
    if (due === undefined) return undefined;
    let sent: Pending | undefined;
    return {
      at: due.at,
      failures: due.failures,
      compose(now) {
        sent = newsOf(store, due, { sink, sender }, now);
        return sent && { about: 'findings', notification: sent.last, before: due.delivered?.last };
      },
      delivered: (_, at) =>
        store.recordDelivered(
          due,
          { ...sent!, at },
          at + Math.min(sink.settings.every, sender.againEveryMs ?? Infinity),
        ),
      postponed: (at) => store.postponed(due, at),
    };
  },
});

function newsOf(
  store: NotifierStore,
  due: Due,
  { sink, sender }: { readonly sink: Sink; readonly sender: Sender },
  now: Date,
): Pending | undefined {
  const { againEveryMs } = sender;
  const again =
    againEveryMs !== undefined && now.getTime() - (due.delivered?.at ?? 0) >= againEveryMs;
  const takes = (finding: Finding): boolean =>
    (sender.cluster === undefined || finding.cluster === sender.cluster) &&
    matches(finding, sink.settings.routes);
  const open = store.open(due.group).filter(takes);
  const pending = due.pending ?? compose(due, open, now, again);
  if (pending !== undefined) store.compose(due, pending);
  else if (againEveryMs !== undefined && due.delivered && open.length > 0)
    store.later(due, due.delivered.at + againEveryMs);
  else store.settled(due);
  return pending;
}
