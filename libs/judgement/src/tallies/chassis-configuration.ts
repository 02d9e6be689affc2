import type { Entity } from '../world/entity';
import { defineTally } from '../world/relation';

/** The only key. */
export const ALL_CHASSIS = 'all';

const MINUTE_MS = 60_000;

/** Up to where more than half of all chassis have come. */
export interface ReachedConfiguration {
  readonly configuration: number;
  /** When the last of them reported it, in whole minutes since 1970. */
  readonly minute: number;
}

/** By `nb_cfg`, and by the minute in which they reported it: how many chassis have come so far. */
type Figure = Map<number, Map<number, number>>;

/**
 * Up to which configuration of the Northbound (`nb_cfg`) chassis have come. Each chassis that works
 * follows within seconds of an increment; where nothing increments it, all stay at one.
 */
export const chassisConfiguration = defineTally<'Chassis_Private', Figure>({
  id: 'chassis-configuration',
  kinds: ['Chassis_Private'],
  keys: (it) => (reachedConfiguration(it) ? [ALL_CHASSIS] : []),
  start: () => new Map(),
  add: (figure, chassis) => {
    const { configuration, minute } = reachedConfiguration(chassis)!;
    const minutes = figure.get(configuration) ?? new Map<number, number>();
    figure.set(configuration, minutes.set(minute, (minutes.get(minute) ?? 0) + 1));
  },
  remove: (figure, chassis) => {
    const { configuration, minute } = reachedConfiguration(chassis)!;
    const minutes = figure.get(configuration)!;
    const left = minutes.get(minute)! - 1;
    if (left > 0) minutes.set(minute, left);
    else minutes.delete(minute);
    if (minutes.size === 0) figure.delete(configuration);
  },
  verdict: (figure) => {
    const { configuration = 0, minute = 0 } = reachedByMost(figure) ?? {};
    return `${configuration} ${minute}`;
  },
});

/** What the chassis reported last; undefined where it never did. */
export function reachedConfiguration({
  object: { nb_cfg: configuration, nb_cfg_timestamp: at },
}: Pick<Entity<'Chassis_Private'>, 'object'>): ReachedConfiguration | undefined {
  if (typeof configuration !== 'number' || typeof at !== 'number') return undefined;
  return configuration > 0 && at > 0
    ? { configuration, minute: Math.floor(at / MINUTE_MS) }
    : undefined;
}

/**
 * The latest configuration to which more than half have come; undefined where no chassis reports
 * any.
 */
export function reachedByMost(figure: Figure): ReachedConfiguration | undefined {
  const all = sum([...figure.values()].flatMap((it) => [...it.values()]));
  let count = 0;
  let minute = 0;
  for (const configuration of [...figure.keys()].sort((a, b) => b - a)) {
    const minutes = figure.get(configuration)!;
    count += sum([...minutes.values()]);
    minute = Math.max(minute, ...minutes.keys());
    if (count * 2 > all) return { configuration, minute };
  }
  return undefined;
}

const sum = (figures: readonly number[]): number => figures.reduce((one, it) => one + it, 0);
