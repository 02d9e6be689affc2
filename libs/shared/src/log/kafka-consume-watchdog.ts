/** How often it checks, within the time a consumer may be silent. */
const CHECKS = 10;

export interface Watched {
  readonly stallMs: number;
  /** The longest that joining a group may take. */
  readonly joinMs: number;
  /** Whether the caller's functions run: they may take their time. */
  readonly busy: () => boolean;
  readonly joining: () => boolean;
  /** The brokers there are, by their ids. */
  readonly nodes: () => readonly (string | number)[];
  readonly onStall: (what: string) => void;
}

export interface Watchdog {
  /** The consumer did something; its time of silence begins anew. */
  active(): void;
  fetchBegan(node: string | number): void;
  fetchEnded(node: string | number): void;
  stop(): void;
}

/**
 * Notices a consumer that goes on living without doing anything: one that fetches from several
 * brokers hangs on one of them while the others seem healthy, so each fetch is watched.
 */
export function createWatchdog({
  stallMs,
  joinMs,
  busy,
  joining,
  nodes,
  onStall,
}: Watched): Watchdog {
  const fetches = new Map<string, number>();
  const every = Math.ceil(stallMs / CHECKS);
  let last = performance.now();
  let checkedAt = last;

  const afresh = (now: number): void => {
    last = now;
    for (const node of fetches.keys()) fetches.set(node, now);
  };
  const check = (): void => {
    const now = performance.now();
    if (now - checkedAt > stallMs / 2) afresh(now); // this process itself did not run
    checkedAt = now;
    const known = new Set(nodes().map(String));
    for (const node of fetches.keys()) if (!known.has(node)) fetches.delete(node); // a fetch that failed does not end
    if (busy()) last = now;
    else if (joining()) {
      if (now - last > joinMs) onStall(`did not get into its group for ${Math.round(joinMs)} ms`);
    } else if ([last, ...fetches.values()].some((at) => now - at > stallMs))
      onStall(`received nothing from a broker for ${Math.round(stallMs)} ms`);
  };
  const timer = setInterval(check, every);

  return {
    active: () => void (last = performance.now()),
    fetchBegan: (node) => void fetches.set(String(node), (last = performance.now())),
    fetchEnded(node) {
      fetches.delete(String(node));
      last = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
