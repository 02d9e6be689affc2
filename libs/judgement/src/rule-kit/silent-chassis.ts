import {
  ALL_CHASSIS,
  chassisConfiguration,
  reachedByMost,
  reachedConfiguration,
} from '../tallies/chassis-configuration';
import type { Entity } from '../world/entity';
import type { View } from './view';

/** A silent chassis lacks so many configurations at least that most others have. */
const CONFIGURATIONS = 2;
/** And the latest of them for so long. */
const MINUTES = 10;

/** How far a silent chassis is behind most others. */
export interface Lag {
  readonly configurations: number;
  readonly minutes: number;
}

/**
 * How far the chassis is behind most others; undefined where it follows them, or nothing shows, as
 * where nobody ever raises `nb_cfg`.
 */
export function lagOf(
  chassis: Entity<'Chassis_Private'>,
  view: View<'Chassis_Private'>,
): Lag | undefined {
  const own = reachedConfiguration(chassis);
  const figure = own && view.talliedVerdict(chassisConfiguration, ALL_CHASSIS);
  const most = figure && reachedByMost(figure);
  if (!own || !most) return undefined;
  const lag = {
    configurations: most.configuration - own.configuration,
    minutes: most.minute - own.minute,
  };
  return lag.configurations >= CONFIGURATIONS && lag.minutes >= MINUTES ? lag : undefined;
}
