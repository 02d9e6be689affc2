/**
 * Reads now, and again for each call, so that a file that was renewed is picked up without a
 * restart. While it cannot be read (it is being replaced, its key does not fit it yet) the last
 * that could be stays in use: client-go does the same with its certificates.
 * @throws whatever `read` throws the first time; never later.
 */
export function renewed<T>(read: () => T): () => T {
  let last = read();
  return () => {
    try {
      last = read();
    } catch {
      // The metric `steward_certificate_expiry_timestamp_seconds` shows when the one in use ends.
    }
    return last;
  };
}
