/** A call to `append` that waits for its turn. */
export interface WaitingAppend {
  readonly records: readonly unknown[];
  readonly bytes: number;
}

/**
 * Takes the calls at the head of the queue that are stored together: at least one, never part of
 * one, and no more than `most`.
 */
export function takeGroup<C extends WaitingAppend>(
  queue: C[],
  most: { readonly records: number; readonly bytes: number },
): C[] {
  let records = 0;
  let bytes = 0;
  const end = queue.findIndex((call, at) => {
    records += call.records.length;
    bytes += call.bytes;
    return at > 0 && (records > most.records || bytes > most.bytes);
  });
  return queue.splice(0, end < 0 ? queue.length : end);
}
