/** A series as `/metrics` shows it. Plain data: what defines it needs no metrics library. */
export interface Definition<L extends string = string> {
  readonly type: 'gauge' | 'counter' | 'histogram';
  /** With the prefix `steward_`; a counter's ends with `_total`. */
  readonly name: string;
  /**
   * Their values must be bounded in number: ids of rules, sources, streams, clusters; names from a
   * cluster only under a stated limit.
   */
  readonly labels: readonly L[];
  readonly help: string;
}

/** Defines `steward_<name>`. */
export const define = <const L extends string = never>(
  type: Definition['type'],
  name: string,
  labels: readonly L[],
  help: string,
): Definition<L> => ({ type, name: `steward_${name}`, labels, help });

/** The same series where a process has it for several clusters. */
export const perCluster = <L extends string>({
  labels,
  ...definition
}: Definition<L>): Definition<L | 'cluster'> => ({ ...definition, labels: ['cluster', ...labels] });

type Labels<L extends string> = Readonly<Record<L, string>>;

/** The series of a process. A definition it was not made with is an error of ours and throws. */
export interface Meter {
  inc<L extends string>(counter: Definition<L>, labels: Labels<NoInfer<L>>, by?: number): void;
  set<L extends string>(gauge: Definition<L>, labels: Labels<NoInfer<L>>, value: number): void;
  /** Adds to a gauge; for gauges that count. */
  add<L extends string>(gauge: Definition<L>, labels: Labels<NoInfer<L>>, by: number): void;
  observe<L extends string>(
    histogram: Definition<L>,
    labels: Labels<NoInfer<L>>,
    value: number,
  ): void;
  /**
   * Forgets all values of a gauge or a counter, so that what is no longer true is not shown again.
   * For counters that are kept elsewhere, before each scrape.
   */
  reset(series: Definition): void;
  /**
   * Called before every scrape, for gauges that show what is true at that moment. If it throws, its
   * series are left out of that answer.
   */
  onScrape(show: () => void): void;
  /** The Prometheus text format, version 0.0.4. */
  text(): Promise<string>;
}
