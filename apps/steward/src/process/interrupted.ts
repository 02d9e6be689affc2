/**
 * Fires on SIGINT or SIGTERM, once, the second ends the process as ever; and on SIGHUP, of a
 * terminal or an ssh session that is lost.
 */
export function interrupted(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
    process.off('SIGINT', abort);
    process.off('SIGTERM', abort);
  };
  // The kernel and the shell both send SIGHUP: the second must not end us before the rest is done,
  // nor must an error of writing to the closed terminal.
  const onHangup = (): void => {
    for (const stream of [process.stdout, process.stderr])
      if (!stream.listeners('error').includes(ignoreStreamError))
        stream.on('error', ignoreStreamError);
    abort();
  };
  process.on('SIGINT', abort);
  process.on('SIGTERM', abort);
  process.on('SIGHUP', onHangup);
  const end = (): void => {
    process.off('SIGINT', abort);
    process.off('SIGTERM', abort);
    process.off('SIGHUP', onHangup);
  };
  return { signal: controller.signal, end };
}

const ignoreStreamError = (): void => undefined;
