/**
 * On every record of findings: which checkpoint of an analyzer it came from, so that an analyzer
 * knows its own records from another's.
 */
export const ANALYZER_HEADER = 'analyzer';
/**
 * On every record of findings: the changes it came from, `<partition>/<first offset>-<last
 * offset>`.
 */
export const CHANGES_HEADER = 'changes';

/** What is said of where a record came from. */
export interface FindingOrigin {
  readonly analyzer: string;
  readonly changes: string;
}

export const changesOf = (partition: number, first: bigint, last: bigint): string =>
  `${partition}/${first}-${last}`;

/**
 * The last of the changes that such a header names; undefined when it names none of this partition.
 */
export function lastOf(changes: string | undefined, partition: number): bigint | undefined {
  const [, of, last] = /^(\d+)\/\d+-(\d+)$/.exec(changes ?? '') ?? [];
  return last === undefined || Number(of) !== partition ? undefined : BigInt(last);
}
