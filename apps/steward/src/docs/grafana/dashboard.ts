/** One query of a panel. */
export interface PanelQuery {
  /** PromQL; `series` writes the selectors. */
  readonly expr: string;
  /** The name of each line, with its labels as `{{label}}`; in a table, of the column. */
  readonly legend: string;
  /** Of this column of a table, where it is not that of the panel. */
  readonly unit?: PanelUnit;
  /** In this column 1 is shown as yes, 0 as no. */
  readonly yesNo?: boolean;
}

/** Units as Grafana names them: `s` are seconds, `percentunit` is a share from 0 to 1. */
export type PanelUnit = 'short' | 's' | 'bytes' | 'cps' | 'percentunit';

export interface DashboardPanel {
  /** Unique within the dashboard. */
  readonly title: string;
  /** The question it answers, in a sentence; shown by Grafana and in docs/dashboards.md. */
  readonly answers: string;
  /** One number for now, lines over time, or a row for each set of labels as it is now. */
  readonly type: 'stat' | 'timeseries' | 'table';
  /** Of 24 columns. */
  readonly width: number;
  readonly unit?: PanelUnit;
  readonly queries: readonly [PanelQuery, ...PanelQuery[]];
  /** From which value on it is yellow or red, ascending; green below the first. */
  readonly limits?: readonly (readonly [from: number, color: 'green' | 'yellow' | 'red'])[];
  /** Lines whose names say a severity have its colour. */
  readonly bySeverity?: boolean;
  /** It has so many lines that their names stand beside the graph, one below the other. */
  readonly manyLines?: boolean;
  /** 1 is shown as yes, 0 as no, in red. */
  readonly yesNo?: boolean;
  /**
   * What it means if a query gives nothing: shown in place of a value. Without it every query gives
   * something on every pipeline that it is about.
   */
  readonly empty?: string;
}

/** Why it is empty beside `steward run`; beside the services it never is. */
export const ONLY_SERVICES = 'only the services on Kafka have this series';

export interface DashboardSection {
  readonly title: string;
  readonly panels: readonly DashboardPanel[];
}

/** A variable whose values are those of a label. All of them are chosen at first. */
export interface DashboardVariable {
  /** Also the label. */
  readonly name: 'job' | 'cluster' | 'subnet' | 'rule';
  /** A series that has it. */
  readonly of: string;
}

export interface Dashboard {
  /**
   * The file, and behind `ovn-steward-` the uid, which links and bookmarks hold: it never changes.
   */
  readonly name: string;
  readonly title: string;
  /** In a sentence. */
  readonly purpose: string;
  readonly variables: readonly DashboardVariable[];
  readonly sections: readonly DashboardSection[];
}
