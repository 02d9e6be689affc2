/** Fires on SIGINT or SIGTERM, once; the second ends the process as ever. */
export function interrupted(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
    end();
  };
  const end = (): void => {
    process.off('SIGINT', abort);
    process.off('SIGTERM', abort);
  };
  process.on('SIGINT', abort);
  process.on('SIGTERM', abort);
  return { signal: controller.signal, end };
}
