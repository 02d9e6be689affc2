export interface ProbeOptions {
  /**
   * Milliseconds between echoes; a peer that sends nothing for a whole interval after one is dead.
   * 0 = no probe.
   */
  everyMs: number;
  /** Sends an echo and resolves when it is answered. */
  echo: () => Promise<unknown>;
  /**
   * An echo was answered. `at`: when it was sent (ms since 1970). Everything the server had sent by
   * then has arrived before.
   */
  onAlive: (at: number) => void;
  onDead: () => void;
}

export interface Probe {
  /** Bytes arrived. Any input counts as life. */
  received(): void;
  /**
   * As many silent intervals after an echo mean death; 1 by default. More, while the server is
   * known to work on a large answer.
   */
  allow(intervals: number): void;
  /**
   * While we do not read we cannot judge; echoes are still sent, because the server closes idle
   * connections itself.
   */
  pause(): void;
  resume(): void;
  stop(): void;
}

const SILENT: Probe = {
  received: () => undefined,
  allow: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  stop: () => undefined,
};

/**
 * Watches whether the other side of a connection still lives (ovsdb-server(7), inactivity probe;
 * here from the client's side).
 */
export function startProbe({ everyMs, echo, onAlive, onDead }: ProbeOptions): Probe {
  if (everyMs <= 0) return SILENT;
  let received = true;
  let silent = 0;
  let allowed = 1;
  let paused = false;
  let stopped = false;
  let lastTick = performance.now();

  const judge = (): void => {
    if (!received && !paused && !stopped) onDead();
  };
  const tick = (): void => {
    const now = performance.now();
    // A tick that comes late means this process stood still, not the server.
    if (now - lastTick > everyMs * 1.5) received = true;
    lastTick = now;
    if (!received && !paused) {
      silent++;
      if (silent < allowed) return;
      // Input that waits in the kernel is read after timers and before immediates.
      setImmediate(judge);
      return;
    }
    received = false;
    silent = 0;
    const at = Date.now();
    echo().then(
      () => onAlive(at),
      () => undefined,
    );
  };
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return {
    received: () => void (received = true),
    allow: (intervals) => void (allowed = intervals),
    pause: () => void (paused = true),
    resume: () => {
      paused = false;
      received = true;
    },
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}
