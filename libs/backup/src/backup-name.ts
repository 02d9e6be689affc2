/** `nb-<cluster>-<UTC time>.db`; a cluster's name is letters, digits, `.`, `_` and `-`. */
export const backupName = (cluster: string, at: Date): string =>
  `nb-${cluster}-${at.toISOString().replace(/[-:]/g, '')}.db`;

const NAME = /^nb-(.+)-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2}\.\d{3})Z\.db$/;

/**
 * When a backup of that name was taken; undefined for a name that is none of ours, or another
 * cluster's.
 */
export function takenAtOf(name: string, cluster: string): Date | undefined {
  const [, of, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  if (of !== cluster) return undefined;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return !Number.isNaN(at.getTime()) && backupName(cluster, at) === name ? at : undefined;
}
