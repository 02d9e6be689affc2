/** What calls of one sort took. */
interface Metered {
  calls: number;
  /** While at least one was under way; milliseconds. */
  busyMs: number;
  underWay: number;
  since: number;
}

export interface Meter {
  /**
   * The same object, the time of its asynchronous methods recorded under their names, after the
   * prefix.
   */
  of<T extends object>(object: T, prefix: string): T;
  /** Something that took so many milliseconds. */
  add(name: string, ms: number): void;
  /**
   * Calls, and milliseconds in which one was under way, of each that was called; for each of so
   * many.
   */
  per(count: number): Readonly<Record<string, { readonly calls: number; readonly ms: number }>>;
}

export function createMeter(): Meter {
  const all = new Map<string, Metered>();
  const entryOf = (name: string): Metered => {
    let entry = all.get(name);
    if (!entry) all.set(name, (entry = { calls: 0, busyMs: 0, underWay: 0, since: 0 }));
    return entry;
  };
  const comment = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    const definition = entryOf(name);
    definition.calls += 1;
    if ((definition.underWay += 1) === 1) definition.since = performance.now();
    try {
      return await answer;
    } finally {
      if ((definition.underWay -= 1) === 0)
        definition.busyMs += performance.now() - definition.since;
    }
  };
  return {
    of: (object, prefix) =>
      new Proxy(object, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]): unknown => {
            const answer: unknown = Reflect.apply(value, target, given);
            return answer instanceof Promise
              ? comment(`${prefix}.${String(property)}`, answer)
              : answer;
          };
        },
      }),
    add(name, ms) {
      const definition = entryOf(name);
      definition.calls += 1;
      definition.busyMs += ms;
    },
    per: (count) =>
      Object.fromEntries(
        [...all].map(([name, { calls, busyMs }]) => [
          name,
          { calls: rounded(calls / count), ms: rounded(busyMs / count) },
        ]),
      ),
  };
}

const rounded = (value: number): number => Number(value.toPrecision(3));
