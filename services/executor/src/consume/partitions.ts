/** Which partitions an executor may speak of. */
export interface Partitions {
  assigned(partition: number): void;
  revoked(partition: number): void;
  /** All is well: what is held now is ours. */
  markCurrent(): void;
  /** The reading ended, in whatever way. */
  ended(): void;
  /** Those held; while nothing is read, those held when all was well last. */
  now(): readonly number[];
  /** Whether the log has given any and is being read. */
  reading(): boolean;
}

/**
 * A reader that ends releases its partitions, as does one that loses them to another reader. The
 * two cases differ: the other reader now reports what it reads, but a log that cannot be read says
 * nothing about the findings in it.
 */
export function partitions(): Partitions {
  let held: Set<number> | undefined;
  let last: readonly number[] = [];
  const now = (): readonly number[] => (held === undefined ? last : [...held]);
  const well = (): void => void (last = now());
  return {
    assigned: (partition) => {
      held = new Set(held).add(partition);
      well();
    },
    revoked: (partition) => void held?.delete(partition),
    markCurrent: well,
    ended: () => void (held = undefined),
    now,
    reading: () => held !== undefined,
  };
}
