// @ts-expect-error kafkajs has no types of this file; it is of the version in our package.json.
import RequestQueue from 'kafkajs/src/network/requestQueue';

/** What is used here of the requests of one connection. */
interface Requests {
  /** Those that wait until they may be sent. */
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * Has kafkajs look for requests that wait only where there are some. By itself it looks each
 * millisecond on each connection as long as that is open (tulios/kafkajs#1704): a producer, a
 * consumer and an admin at rest took 37 ms of processor time a second, and 3 without. Node 24 warns
 * of the negative time it sets. To be called once.
 */
export function checkOnlyWhatWaits(): void {
  const { prototype } = RequestQueue as { readonly prototype: Requests };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: Requests) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
