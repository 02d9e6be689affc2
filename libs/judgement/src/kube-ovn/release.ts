import type { Entity } from '../world/entity';

/** Of Kube-OVN: major, minor, patch. */
export type Release = readonly [major: number, minor: number, patch: number];

/**
 * Which release of Kube-OVN the controller is of, by the tag of its image; undefined where the tag
 * is missing, or is no release as Kube-OVN makes them (`v1.14.4`).
 */
export function releaseOf({ object }: Entity<'Deployment'>): Release | undefined {
  const found = /^v(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/.exec(
    object.spec?.template?.spec?.release ?? '',
  );
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : undefined;
}

/** Whether the one is older than the other. */
export function isOlderRelease(one: Release, other: Release): boolean {
  const at = one.findIndex((it, nth) => it !== other[nth]);
  return at >= 0 && one[at]! < other[at]!;
}
