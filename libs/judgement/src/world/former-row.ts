/** The stream of what is remembered and no source reports. */
export const MEMORY = 'memory';

/** The path of a finding's facts that say why something is damage. */
export const EVIDENCE = 'evidence of damage';

/** A row of another owner as it was before it vanished or was changed. */
export interface FormerPart {
  readonly table: string;
  readonly uid: string;
  readonly name: string;
  readonly owner: string;
  /** Whether it was deleted; otherwise it exists, and says something else than `row`. */
  readonly gone: boolean;
  /** In which transaction, as far as the source reports it; what vanished in one has the same. */
  readonly moment: string;
  /** Of a row that stands and lost members: why this was not its owner, a clause. */
  readonly claim?: string;
  /**
   * As the collector published it: set columns as arrays, references as uids, defaults left out.
   */
  readonly row: Readonly<Record<string, unknown>>;
}

/** A row that lost its reference to one that vanished. */
export interface FormerReferrer {
  readonly table: string;
  readonly uid: string;
  readonly column: string;
  /** The row that was referred to. */
  readonly to: string;
}

/**
 * What happened to a row that stands by itself (a switch, a router, a port group …) and to what it
 * held, as far as that was not Kube-OVN's. Its uid is that row's own. Times are RFC 3339, the
 * source's.
 */
export interface FormerRow {
  readonly table: string;
  readonly owner: string;
  /** Whether what stands there, or stood, is Kube-OVN's or may be. */
  readonly onKubeOvns: boolean;
  /** The row as it was, where it was deleted itself. */
  readonly row?: Readonly<Record<string, unknown>>;
  /** In which transaction that was, as with parts. */
  readonly moment?: string;
  /** A part of it vanished while nothing was observed: when, and with what, is not known. */
  readonly unwatched?: true;
  readonly parts: readonly FormerPart[];
  readonly referrers: readonly FormerReferrer[];
  readonly since: string;
  readonly until: string;
  /** Why this was no deletion of the owner's own, a clause each; empty while nothing shows it. */
  readonly evidence: readonly string[];
  /** Why it may have been none, where there is no evidence and reason to think so: a clause. */
  readonly doubt?: string;
  /** What is known of who did it, a clause. */
  readonly writer?: string;
}
