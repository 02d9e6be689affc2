// Generated from contracts/schemas by npm run generate.

/** A finding: what is wrong, with whom, and the proof */
export type Finding = {
  /** sha256 of cluster, rule and the incarnation of the subject, in hex: the same problem on the same incarnation always keeps its id. */
  readonly id: string;
  /** The cluster, as the setting `cluster` names it. */
  readonly cluster: string;
  /** The id of the rule. Rules come and go: go by class and severity. */
  readonly rule: string;
  /** What sort of wrong it is. Known values: garbage, leak, drift, stuck, misplaced, missing, damage. Others may be added: tolerate them. */
  readonly class: 'garbage' | 'leak' | 'drift' | 'stuck' | 'misplaced' | 'missing' | 'damage' | (string & {});
  /** How bad it is. Known values: info, warning, critical. Others may be added: tolerate them. */
  readonly severity: 'info' | 'warning' | 'critical' | (string & {});
  /** Where it stands. It is open while it is neither `resolved` nor `suppressed`. Known values: suspected, confirmed, resolved, suppressed. Others may be added: tolerate them. */
  readonly state: 'suspected' | 'confirmed' | 'resolved' | 'suppressed' | (string & {});
  /** Why it is suppressed; only where the state is `suppressed`. */
  readonly suppressed?: Suppression | undefined;
  /** Grows by one with every change of content or state. The highest counts. */
  readonly revision: number;
  /** What is wrong. */
  readonly subject: Reference;
  /** What shares the fate of the subject. */
  readonly concerns: readonly Reference[];
  /** Whose the subject is, and why. */
  readonly owner: Ownership;
  /** Where it lies, as far as the subject itself says. */
  readonly scope?: {
    /** The VPC. */
    readonly vpc?: string | undefined;
    /** The subnet. */
    readonly subnet?: string | undefined;
  } | undefined;
  /** What took along what it is about. Findings of an equal kind and key have one cause. Absent where the proof names no owner. */
  readonly cause?: Cause | undefined;
  /** One sentence for people. Its words change: never parse it. */
  readonly summary: string;
  /** The facts that make it true. Who acts on it proves all of them again first. */
  readonly proof: readonly Fact[];
  /** What repairs it; null where a person must decide. */
  readonly remedy: Remedy | null;
  /** Why it is uncertain for now, in a sentence for people; then `remedy` is null. Absent where nothing is in doubt. */
  readonly doubt?: string | undefined;
  /** Of damage to rows of others: the rows as they were. */
  readonly was?: readonly {
    /** The table of the row. */
    readonly table: string;
    /** Its `_uuid`. */
    readonly uid: string;
    /** Whose it was. */
    readonly owner: string;
    /** Whether it is gone; else it stands and holds something else. */
    readonly gone: boolean;
    /** Its columns, as in steward.changes.v1. */
    readonly row: Readonly<Record<string, unknown>>;
    /** Other rows that lost a reference to it, where `row` does not say so. */
    readonly referrers: readonly {
      /** The table of that row. */
      readonly table: string;
      /** Its `_uuid`. */
      readonly uid: string;
      /** The column that referred. */
      readonly column: string;
    }[];
  }[] | undefined;
  /** Since when it is suspected, on the clock of the sources. */
  readonly firstSeen: string;
  /** When it was last published, on the clock of the sources. */
  readonly lastSeen: string;
  /** When it was confirmed, on the clock of the sources; or null. */
  readonly confirmedAt: string | null;
  /** When it was resolved, on the clock of the sources; or null. */
  readonly resolvedAt: string | null;
};

export type Suppression = {
  /** What the state would be. Known values: suspected, confirmed. Others may be added: tolerate them. */
  readonly state: 'suspected' | 'confirmed' | (string & {});
  /** Why, in the words of who decided. */
  readonly reason: string;
  /** Who decided; `settings` for what a setting switches off. */
  readonly by: string;
  /** When it was decided; null for settings. */
  readonly since: string | null;
  /** When it ends by itself; null: when somebody ends it. */
  readonly until: string | null;
  /** What was suppressed, of which this is one. */
  readonly selector: Selector;
};

export type Selector = {
  /** The id of one finding. */
  readonly finding?: string | undefined;
  /** What this rule finds. */
  readonly rule?: string | undefined;
  /** Findings of this class. */
  readonly class?: string | undefined;
  /** What lies in this VPC. */
  readonly vpc?: string | undefined;
  /** What lies in this subnet. */
  readonly subnet?: string | undefined;
  /** What lies in this namespace, or whose owner did. */
  readonly namespace?: string | undefined;
  /** A uid, or `Kind/name`, or `Kind/namespace/name`. */
  readonly subject?: string | undefined;
};

export type Reference = {
  /** Where it lives. Known values: ovn-nb, ovn-sb, kubernetes. Others may be added: tolerate them. */
  readonly source: 'ovn-nb' | 'ovn-sb' | 'kubernetes' | (string & {});
  /** The table of OVN (`Logical_Switch_Port`) or the kind of Kubernetes (`Pod`). */
  readonly kind: string;
  /** Its namespace; only of namespaced kinds of Kubernetes. */
  readonly namespace?: string | undefined;
  /** Its name, or that of the row; empty for tables without names. Names are for people. */
  readonly name: string;
  /** The `_uuid` of the row, or `metadata.uid` of the object. Two references mean one thing only when source, kind and uid are equal. */
  readonly uid: string;
  /** The one entry of the row that is meant, where it is not the whole row. */
  readonly part?: {
    /** The column the entry is in. */
    readonly column: string;
    /** The key of the entry. */
    readonly key: string;
  } | undefined;
};

export type Ownership = {
  /** Whose it is: `kube-ovn`, `neutron`, `octavia`, …, `shared`, `unknown`; `kubernetes` for objects. */
  readonly owner: string;
  /** What may be done to it for whose it is. Known values: protect, detach-only, candidate. Others may be added: tolerate them. */
  readonly verdict: 'protect' | 'detach-only' | 'candidate' | (string & {});
  /** 3 certain, 2 strong, 1 weak, 0 none. */
  readonly confidence: number;
  /** Why, in sentences for people. Never parse them. */
  readonly evidence: readonly string[];
};

export type Cause = {
  /** The kind of Kubernetes of what no longer exists. */
  readonly kind: string;
  /** Its `namespace/name`, or name. */
  readonly key: string;
  /** One sentence for people, without its full stop. */
  readonly text: string;
  /** How it went, oldest first: what was deleted before it, and since when no controller of Kube-OVN led. Absent where no change showed it. */
  readonly moments?: readonly {
    /** When the collector learned of it. */
    readonly at: string;
    /** One clause for people. Never parse it. */
    readonly what: string;
    /** The change that shows it: `<stream>/<epoch>/<seq>` of `steward.changes.v1`. */
    readonly change: string;
  }[] | undefined;
};

export type Fact = {
  /** What sort of fact it is. */
  readonly fact: 'absent';
  /** The source in which it was searched for. */
  readonly source: string;
  /** The kind of which nothing was found; it was listed completely. */
  readonly kind: string;
  /** The key that nothing has: `namespace/name`, or a name. */
  readonly key: string;
} | {
  /** What sort of fact it is. */
  readonly fact: 'present';
  /** What the fact is about. */
  readonly subject: Reference;
} | {
  /** What sort of fact it is. */
  readonly fact: 'unchanged';
  /** What the fact is about. */
  readonly subject: Reference;
  /** The hash of its trimmed content; absent in findings from before it was added. */
  readonly digest?: string | undefined;
} | {
  /** What sort of fact it is. */
  readonly fact: 'value';
  /** What the fact is about. */
  readonly subject: Reference;
  /** The column or field. */
  readonly path: string;
  /** What stands there, as text; of `unclaimed` what stands nowhere. */
  readonly value: string;
} | {
  /** What sort of fact it is. */
  readonly fact: 'unreferenced';
  /** What the fact is about. */
  readonly subject: Reference;
} | {
  /** What sort of fact it is. */
  readonly fact: 'unclaimed';
  /** The source in which it was searched for. */
  readonly source: string;
  /** The kind of which nothing was found; it was listed completely. */
  readonly kind: string;
  /** The column or field. */
  readonly path: string;
  /** What stands there, as text; of `unclaimed` what stands nowhere. */
  readonly value: string;
} | {
  /** What sort of fact it is. */
  readonly fact: string;
};

export type Remedy = {
  /** The name of an action of the executor. */
  readonly action: string;
  /** What it acts on. */
  readonly target: Reference;
  /** What to do, in a sentence for people. Never parse it. */
  readonly advice: string;
};
