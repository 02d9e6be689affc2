import { RULES } from '@ovn-steward/judgement/rules/registry';
import { Settings } from '@ovn-steward/shared/settings/settings';
import type { Limiter } from '../../store/limiter';
import type { Random } from '@ovn-steward/systems/testing/kube-ovn/random';
import type { SteadyClock } from './steady-clock';

const MINUTE_MS = 60_000;

/** Wide open: then it is tried whether what is done is right, and not how much of it. */
const OPEN = {
  rate: { perSecond: 10_000, burst: 10_000 },
  ceilings: Object.fromEntries(
    ['rule', 'subnet', 'vpc', 'cluster'].map((scope) => [
      scope,
      { least: 100_000, share: 1, most: 100_000 },
    ]),
  ),
  yield: { afterLease: '0s', taken: 1_000_000 },
};

const LIMITS = [
  'rules',
  'approvers',
  'rate',
  'cluster',
  'rule',
  'windows',
  'freezes',
  'yield',
  'yield',
  'yield',
] as const;

/**
 * What the executors of one history may do, and when: each limit is on in some of them. Where many
 * are, little is removed, so in every third one is on alone.
 * @param began milliseconds since 1970.
 */
export function drawLimits(random: Random, began: number): Settings['executor'] {
  if (random.chance(0.3))
    return Settings.parse({ executor: { ...OPEN, mode: 'enforce' } }).executor;
  const alone = random.chance(0.5) ? random.pick(LIMITS) : undefined;
  const on = <T>(name: (typeof LIMITS)[number], share: number, limit: () => T, open: T): T =>
    (alone === undefined ? random.chance(share) : name === alone) ? limit() : open;
  const few = (): object => {
    const most = 1 + random.int(4);
    return { least: most, share: 0, most };
  };
  return Settings.parse({
    executor: {
      mode: 'enforce',
      rules: on<object>('rules', 0.5, () => drawModes(random), {}),
      approvers: on<object>(
        'approvers',
        0.3,
        () => ({ [random.pick(RULES).id]: 2, 'leaked-ip': 2 }),
        {},
      ),
      rate: on<object>(
        'rate',
        0.4,
        () => ({ perSecond: 0.2 + random.int(20) / 10, burst: 1 + random.int(4) }),
        OPEN.rate,
      ),
      ceilings: {
        ...OPEN.ceilings,
        ...on<object>('cluster', 0.3, () => ({ cluster: few() }), {}),
        ...on<object>('rule', 0.3, () => ({ rule: few() }), {}),
      },
      windows: on<string[]>('windows', 0.3, () => [drawWindow(random)], []),
      freezes: on<string[]>(
        'freezes',
        0.4,
        () => Array.from({ length: 4 }, () => drawFreeze(random, began)),
        [],
      ),
      yield: on<object>(
        'yield',
        0.4,
        () => ({ afterLease: '10m', taken: 2 + random.int(3), afterTaken: '6m' }),
        OPEN.yield,
      ),
    },
  }).executor;
}

const drawModes = (random: Random): object =>
  Object.fromEntries(
    RULES.filter(() => random.chance(0.5)).map(({ id }) => [
      id,
      random.pick(['propose', 'propose', 'observe', 'enforce']),
    ]),
  );

const two = (number: number): string => String(number).padStart(2, '0');

/** Of every day, in UTC; some go beyond midnight. */
function drawWindow(random: Random): string {
  const from = random.int(24);
  const hours = 4 + random.int(12);
  return `${two(from)}:00-${two((from + hours) % 24)}:30`;
}

/** Within the first day, which most histories do not outlast. */
function drawFreeze(random: Random, began: number): string {
  const from = began + random.int(24 * 60) * MINUTE_MS;
  const text = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
  return `${text(from)}/${text(from + (20 + random.int(240)) * MINUTE_MS)}`;
}

/**
 * The rate as it is promised: never more than `burst` and `perSecond` × t in any time t. It waits
 * on the steady clock. What the product counts it with keeps to the clocks of the machine, and has
 * tests of its own.
 */
export function steadyLimiter(
  { perSecond, burst }: Settings['executor']['rate'],
  clock: SteadyClock,
  gate: () => Promise<void>,
): Limiter {
  let places = burst;
  let at = clock.now();
  const isFree = (): boolean => {
    places = Math.min(burst, places + ((clock.now() - at) * perSecond) / 1000);
    at = clock.now();
    return places >= 1;
  };
  return {
    async take(withinMs) {
      const until = clock.now() + withinMs;
      while (!isFree()) {
        const leftMs = until - clock.now();
        if (leftMs <= 0) return false;
        clock.pass(Math.min(leftMs, Math.ceil(((1 - places) * 1000) / perSecond)));
        await gate();
      }
      places -= 1;
      return true;
    },
    async used(count) {
      isFree();
      places = Math.min(places, burst - count);
    },
  };
}
