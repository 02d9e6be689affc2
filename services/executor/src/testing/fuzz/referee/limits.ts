import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Limited, LimitedNow, Moment } from './moments';

type Executor = Settings['executor'];

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MINUTES = 1440;
/** A decision is good for so long. */
const GOOD_MS = 2000;

/** Minutes of the day in UTC, of the windows that are drawn: every day, and none of a zone. */
const inWindow = (windows: Executor['windows'], at: number): boolean =>
  windows.length === 0 ||
  windows.some(({ from, to }) => {
    const minute = Math.floor(at / MINUTE_MS) % DAY_MINUTES;
    return to > from ? minute >= from && minute < to : minute >= from || minute < to;
  });
const inFreeze = (freezes: Executor['freezes'], at: number): boolean =>
  freezes.some(({ from, to }) => at >= from && at < to);

interface Claim {
  readonly by: Limited;
  readonly rule: string;
  /** On the clock of who claimed it. */
  readonly wall: number;
}

export interface LimitsJudge {
  /** An executor claims something. */
  claimed(action: ActionRecord, by: Limited, wall: number): void;
  /** An executor writes what became of something. @param before what stood in its ledger. */
  recorded(action: ActionRecord, before: ActionRecord | undefined, by: Limited, wall: number): void;
  /**
   * Why this removal was not to be sent; undefined when it was. Counts it.
   * @param overCeilings that a person allowed it whatever the ceilings.
   */
  removed(action: ActionRecord, sent: LimitedNow, overCeilings: boolean): string | undefined;
  /** How many removals there were. */
  removals(): number;
}

/** Windows, freezes, rates, ceilings and what makes an executor stand back, by sums of its own. */
export function judgeLimits(): LimitsJudge {
  const claims = new Map<string, Claim>();
  const removals: Claim[] = [];
  /** Of each process, what it found gone since it last removed something, the last first. */
  const takings = new WeakMap<Limited, readonly Pick<Moment, 'wall' | 'steady'>[]>();
  const buckets = new WeakMap<Limited, { places: number; at: number }>();

  const outrun = ({ of, steady }: LimitedNow): boolean => {
    const { perSecond, burst } = of.settings.rate;
    // One more: a place may have been got long before it is used.
    const most = burst + 1;
    const bucket = buckets.get(of) ?? { places: most, at: of.started.steady };
    const places = Math.min(most, bucket.places + ((steady - bucket.at) * perSecond) / 1000);
    buckets.set(of, { places: places - 1, at: steady });
    return places < 1 - 1e-6;
  };

  /**
   * What this process can know to have been removed within the hour before it decided, this one
   * counted in.
   */
  const withinTheHour = ({ of, placed }: LimitedNow, rule?: string): number =>
    removals.filter(
      (claim, nth) =>
        (claim.by === of || nth < of.started.removals) &&
        claim.wall >= placed!.wall - HOUR_MS &&
        (rule === undefined || claim.rule === rule),
    ).length;

  const overCeiling = (sent: LimitedNow, { rule }: ActionRecord): string | undefined => {
    const { ceilings } = sent.of.settings;
    const all = withinTheHour(sent);
    const ofRule = withinTheHour(sent, rule);
    if (all > ceilings.cluster.most)
      return `it is number ${all} within an hour, and the cluster has a ceiling of ${ceilings.cluster.most}`;
    return ofRule > ceilings.rule.most
      ? `it is number ${ofRule} of rule ${rule} within an hour, and the ceiling is ${ceilings.rule.most}`
      : undefined;
  };

  const closed = ({ of: { settings }, placed }: LimitedNow): string | undefined => {
    const decided = placed!.wall - GOOD_MS;
    const at = placed!.wall;
    if ([decided, at].every((it) => inFreeze(settings.freezes, it)))
      return 'it was sent in a freeze';
    return [decided, at].every((it) => !inWindow(settings.windows, it))
      ? 'it was sent outside every window'
      : undefined;
  };

  /**
   * It saw the controllers' Lease move, at the latest when it decided, and has to wait from then
   * on.
   */
  const tooSoon = ({ of, leaseMovedAt, placed }: LimitedNow): string | undefined =>
    leaseMovedAt !== undefined &&
    leaseMovedAt.steady <= placed!.steady &&
    placed!.wall < leaseMovedAt.wall + of.settings.yield.afterLease
      ? 'it was sent while a controller that began to lead may clean up'
      : undefined;

  /**
   * It found so many things gone in a row before its turn began, and has to let somebody else
   * finish.
   */
  const overtaken = ({ of, turn, placed }: LimitedNow): string | undefined => {
    const { taken, afterTaken } = of.settings.yield;
    const walls = (takings.get(of) ?? [])
      .filter((it) => it.steady < turn.steady)
      .map((it) => it.wall)
      .sort((a, b) => b - a);
    const last = walls[0];
    const first = walls[taken - 1];
    return last !== undefined &&
      first !== undefined &&
      last - first < afterTaken &&
      placed!.wall < last + afterTaken
      ? `it was sent though ${taken} things were found gone in a row`
      : undefined;
  };

  /** What it reads may come from a server that leads no more. */
  const moved = ({ northboundMovedAt, placed }: LimitedNow): string | undefined =>
    northboundMovedAt !== undefined && placed!.wall < northboundMovedAt.wall + MINUTE_MS
      ? 'it was sent within a minute after the Northbound was reached again'
      : undefined;

  return {
    removals: () => removals.length,
    recorded({ state, code }, before, by, wall) {
      if (state === 'done' || state === 'terminating') takings.set(by, []);
      // Of a claim it was found out when it was settled, which says nothing of who is at it now.
      else if (state === 'refused' && code === 'gone' && before?.state !== 'claimed')
        takings.set(by, [{ wall, steady: performance.now() }, ...(takings.get(by) ?? [])]);
    },
    claimed({ id, rule }, by, wall) {
      if (!claims.has(id)) claims.set(id, { by, rule, wall });
    },
    removed(action, sent, overCeilings) {
      const claim = claims.get(action.id);
      const isNew = claim !== undefined && !removals.includes(claim);
      if (isNew) removals.push(claim);
      if (sent.placed === undefined) return 'no place in the rate was taken for it';
      if (isNew && outrun(sent)) return 'it was sent faster than the rate';
      // A place that was got in an earlier turn says nothing of when this was decided.
      if (sent.placed.steady < sent.turn.steady) return undefined;
      return (
        closed(sent) ??
        tooSoon(sent) ??
        overtaken(sent) ??
        moved(sent) ??
        (overCeilings ? undefined : overCeiling(sent, action))
      );
    },
  };
}
