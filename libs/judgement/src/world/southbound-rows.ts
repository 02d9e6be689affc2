import type { NbColumns, StringMap } from './ovn-rows';

/**
 * Rows of the Southbound, as the collector sends them: as those of the Northbound, with the
 * monitored columns.
 */
export interface Chassis extends NbColumns {
  readonly hostname?: string;
  readonly other_config?: StringMap;
}

/**
 * What a chassis says of itself: up to which configuration it is, and since when (ovn-sb(5),
 * Chassis_Private).
 */
export interface ChassisPrivate extends NbColumns {
  readonly nb_cfg?: number;
  /** Milliseconds since 1970, on the clock of that host. */
  readonly nb_cfg_timestamp?: number;
}

/** Named by its `logical_port`, which is unique. `chassis` and `additional_chassis` are uids. */
export interface PortBinding extends NbColumns {
  readonly logical_port?: string;
  readonly type?: string;
  readonly chassis?: string;
  readonly additional_chassis?: readonly string[];
  readonly up?: boolean;
}

export interface Encap extends NbColumns {
  readonly type?: string;
  readonly ip?: string;
  readonly chassis_name?: string;
}
