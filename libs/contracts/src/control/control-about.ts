import type { Scope } from './control';

/** What a record of the control topic is about, by its key. */
export interface ControlAbout {
  readonly cluster: string;
  readonly kind: string;
  readonly id: string;
}

/** Reads a key, `<cluster>/<kind>/<id>`: a cluster's name has no slash. */
export function aboutOf(key: string): ControlAbout | undefined {
  const [, cluster, kind, id] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(key) ?? [];
  return cluster === undefined || kind === undefined || id === undefined
    ? undefined
    : { cluster, kind, id };
}

/** The scope that the id of a hold names; of one that cannot be read, everything. */
export function holdScopeOf(text: string): Scope {
  try {
    const parsed: unknown = JSON.parse(text);
    if (
      !Array.isArray(parsed) ||
      parsed.length !== 3 ||
      !parsed.every((it) => typeof it === 'string')
    )
      return {};
    const [rule, vpc, subnet] = parsed as [string, string, string];
    return {
      ...(rule === '*' ? {} : { rule }),
      ...(vpc === '*' ? {} : { vpc }),
      ...(subnet === '*' ? {} : { subnet }),
    };
  } catch {
    return {};
  }
}
