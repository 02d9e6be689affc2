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
