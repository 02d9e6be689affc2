// Generated from contracts/schemas by npm run generate.

/** How far a source of a cluster is known: one record of steward.status.v1 */
export type SourceStatus = {
  /** The version of this document. */
  readonly version: 1;
  /** The cluster, as the setting `cluster` names it. */
  readonly cluster: string;
  /** `ovn-nb`, `ovn-sb` or `kubernetes`; others may be added. */
  readonly source: string;
  /** Whether every kind of the source that exists and some rule needs is known in full. */
  readonly complete: boolean;
  /** The findings describe this source at this time; null where it never reported. */
  readonly freshThrough: string | null;
  /** The kinds of the source that are not known in full; empty where all are. */
  readonly incomplete: readonly {
    /** The table of OVN, or the kind of Kubernetes. */
    readonly kind: string;
    /** unavailable: it cannot be known now. listing: it was not yet read in full. Known values: unavailable, listing. Others may be added: tolerate them. */
    readonly state: 'unavailable' | 'listing' | (string & {});
    /** Why it is unavailable, in a word, as in the changes; absent while it is listed. */
    readonly reason?: string | undefined;
    /** One sentence for people. Never parse it. */
    readonly detail?: string | undefined;
  }[];
  /** The rules that read this source and say nothing now: what they would find is missing. */
  readonly withheld: readonly {
    /** The id of the rule. */
    readonly rule: string;
    /** Why it is withheld: one sentence for people. Its words change: never parse it. */
    readonly reason: string;
  }[];
  /** How often a rule that does say something could not judge a row or an object of this source. */
  readonly unjudged: number;
  /** Whether this Kubernetes and this Northbound are one cluster. Rules that compare both are withheld unless it is paired. Known values: paired, unknown, mispaired. Others may be added: tolerate them. */
  readonly pairing: 'paired' | 'unknown' | 'mispaired' | (string & {});
  /** An offset of steward.findings.v1 in the same partition, in decimal: who has read all before it has every finding that is meant here. */
  readonly findingsThrough: string;
  /** Who wrote this. */
  readonly analyzer: {
    /** The version of the analyzer. */
    readonly version: string;
    /** Its memory of the partition: what the header `analyzer` of its findings says. */
    readonly id: string;
  };
  /** When it was written, by the clock of the analyzer. */
  readonly writtenAt: string;
};
