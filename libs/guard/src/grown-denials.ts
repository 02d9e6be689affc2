import type { Denials } from './denials';

/** Requests that a policy refused and that were not reported yet. */
export interface Grown {
  /** Its id. */
  readonly policy: string;
  /** How many; at least 1. */
  readonly count: number;
  /** When that server's count was last read without them. */
  readonly since: Date;
  /** To be called once the count was reported: from then on only later refusals count. */
  readonly reported: () => void;
}

/** More API servers than a cluster has, and their starts of some weeks. */
const MOST_SERVERS = 64;

/**
 * Compares what an API server counts with what the same one counted before. The first count of a
 * server, after our start or after its own, says nothing of when, and is only what later ones are
 * compared with. A server that does not say when it was started may be another one each time, and
 * is never compared.
 */
export function grownDenials(): (denials: Denials, at: Date) => readonly Grown[] {
  const servers = new Map<number, Map<string, { readonly count: number; readonly at: Date }>>();
  return ({ startedAt, byPolicy }, at) => {
    if (startedAt === undefined) return [];
    const before =
      servers.get(startedAt) ?? new Map<string, { readonly count: number; readonly at: Date }>();
    servers.delete(startedAt);
    servers.set(startedAt, before); // the one heard of last goes last
    for (const [oldest] of servers) if (servers.size > MOST_SERVERS) servers.delete(oldest);
    return [...byPolicy].flatMap(([policy, count]) => {
      const base = before.get(policy);
      const forgetUntilNext = (): void => void before.set(policy, { count, at });
      if (base !== undefined && count > base.count)
        return [{ policy, count: count - base.count, since: base.at, reported: forgetUntilNext }];
      forgetUntilNext();
      return [];
    });
  };
}
