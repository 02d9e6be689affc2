import { safeText } from '@ovn-steward/shared/safe-text';

export interface Progress {
  update(count: number): void;
  /** A sentence about an interruption. */
  report(source: string, message: string): void;
  end(): void;
}

const EVERY_MS = 200;

/**
 * A counter and the interruptions, each once, on stderr while a person waits; silent when stderr is
 * no terminal.
 */
export function startProgress(what: string): Progress {
  const terminal = process.stderr.isTTY;
  let last = 0;
  let shown = false;
  const printed = new Set<string>();
  const clear = (): void => {
    if (shown) process.stderr.write('\r\u001b[K');
    shown = false;
  };
  return {
    update(count) {
      if (!terminal || Date.now() - last < EVERY_MS) return;
      last = Date.now();
      process.stderr.write(`\r${what} ${count.toLocaleString('en')} …`);
      shown = true;
    },
    report(source, message) {
      if (!terminal || printed.has(message)) return;
      printed.add(message);
      clear();
      process.stderr.write(`${source}: ${safeText(message, 500)}\n`);
    },
    end: clear,
  };
}
