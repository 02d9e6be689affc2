import type { DatabaseSchema } from '@ovn-steward/ovsdb';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { messageOf } from '@ovn-steward/shared/errors';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { act, type Stage } from './actions';
import { actAside } from './actions-aside';
import { LEAP } from './cluster';
import { createCluster } from './create-cluster';
import { Controller } from './kube-ovn/controller';
import { PARTS } from './kube-ovn/parts';
import { RELEASES } from './kube-ovn/releases';
import { kubelets } from './others/kubelets';
import { tendSets } from './others/people';
import { uninstall } from './others/uninstall';
import { CLUSTER } from './feeds/change-stream';
import { createDelivery } from './feeds/delivery';
import { type Known, type Offence, Referee } from './truth/referee';
import { isUninstalled } from './truth/uninstall-ills';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The product's defaults (`Grace` of the settings). */
export const GRACE = {
  garbage: 15 * MINUTE,
  leak: 15 * MINUTE,
  drift: 10 * MINUTE,
  stuck: 10 * MINUTE,
  misplaced: 10 * MINUTE,
  missing: 2 * MINUTE,
  damage: 0,
};
/**
 * How long all is quiet before the findings must be complete: longer than any grace, with a second
 * evaluation.
 */
const QUIET = 20 * MINUTE;

/** How many histories end with an uninstall. */
const UNINSTALLS = 0.15;

/** Whatever happens aside of a step has draws of its own. */
const ASIDE = 0x5bd1e995;

const RULE = new Map(RULES.map((it) => [it.id, it]));
const knownOf = (rule: string): Known => {
  const of = RULE.get(rule)?.class ?? 'drift';
  return { grace: GRACE[of], isOutage: !['garbage', 'leak', 'stuck'].includes(of) };
};

/** What is tried: an engine like the product's. */
export type MakeEngine = () => Engine;
export const productEngine: MakeEngine = () => createEngine({ cluster: CLUSTER, grace: GRACE });

/**
 * A history: what is drawn for the cluster, and for each step. Steps do not depend on the draws of
 * others, so that any may be left out.
 */
export interface History {
  readonly seed: number;
  readonly steps: readonly number[];
}

export interface Outcome {
  /** Steps that were played. */
  readonly steps: number;
  readonly offences: readonly Offence[];
  /** Ids of rules, once for each finding that was confirmed at the end. */
  readonly confirmed: readonly string[];
  /** Ids of rules of which something was confirmed at any time. */
  readonly reached: ReadonlySet<string>;
  /** What happened up to the first offence. */
  readonly diary: readonly string[];
}

interface Episode extends Stage {
  readonly engine: Engine;
  readonly referee: Referee;
  readonly offences: Offence[];
}

/** Plays a history to its end, or up to its first offence. */
export function runEpisode(
  schema: DatabaseSchema,
  { seed, steps }: History,
  makeEngine: MakeEngine,
): Outcome {
  const draw = random(seed);
  const release = draw.pick(RELEASES);
  const cluster = createCluster(draw, schema, release);
  const controller = new Controller(cluster, PARTS);
  const delivery = createDelivery(cluster.database, cluster.objects);
  const episode: Episode = {
    cluster,
    controller,
    delivery,
    engine: makeEngine(),
    referee: new Referee(cluster, delivery, knownOf),
    offences: [],
  };
  cluster.diary.push(`Kube-OVN ${release.version}`);
  let ran = 0;
  try {
    controller.start();
    pass(episode, SECOND);
    for (const step of steps) {
      ran += 1;
      cluster.random = random(step ^ ASIDE);
      actAside(episode);
      cluster.random = random(step);
      act(episode);
      tendSets(cluster);
      // Often little gets done before the next thing happens, or it dies.
      controller.work(cluster.random.chance(0.5) ? cluster.random.int(3) : 12);
      pass(episode, leap(cluster.random));
      if (episode.offences.length > 0) break;
    }
    cluster.random = random(seed + 2);
    const isEnded = episode.offences.length === 0 && cluster.random.chance(UNINSTALLS);
    if (isEnded) end(episode);
    cluster.random = random(seed + 1);
    if (episode.offences.length === 0) rest(episode, makeEngine);
  } catch (error) {
    episode.offences.push({
      kind: 'unexpectedErrors',
      sort: messageOf(error),
      what: error instanceof Error ? (error.stack ?? '') : String(error),
    });
  }
  const confirmed = episode.engine.findings().filter(({ state }) => state === 'confirmed');
  return {
    steps: ran,
    offences: episode.offences,
    confirmed: confirmed.map(({ rule }) => rule).sort(),
    reached: episode.referee.reached,
    diary: cluster.diary,
  };
}

const leap = ({ chance, int }: ReturnType<typeof random>): number => {
  if (chance(0.75)) return (1 + int(8)) * SECOND;
  return chance(0.7) ? (30 + int(270)) * SECOND : (10 + int(30)) * MINUTE;
};

/** Time goes by. Whoever works has done all there was to do after a few seconds. */
function pass(episode: Episode, ms: number): void {
  const { cluster, controller } = episode;
  for (let left = ms; left > 0 && episode.offences.length === 0; left -= LEAP) {
    if (ms > 10 * SECOND) controller.settle();
    cluster.now += Math.min(left, LEAP);
    controller.tick();
    if (ms > 10 * SECOND) controller.settle();
    kubelets(cluster);
    episode.referee.evaluate();
    collect(episode);
  }
}

function collect({ delivery, engine, cluster, referee, offences }: Episode): void {
  const { findings } = engine.apply(delivery.changes(cluster.now));
  offences.push(...referee.accused(findings));
}

/** Kube-OVN is uninstalled, at any moment of its work. */
function end(episode: Episode): void {
  const { cluster, controller, delivery } = episode;
  // Whoever is behind when a definition goes never hears what became of its objects.
  for (const name of delivery.names)
    if (delivery.stateOf(name) !== 'following') delivery.relist(name, cluster.now);
  controller.crash();
  uninstall(cluster);
  pass(episode, SECOND);
}

/**
 * All goes quiet: everything is reported, and after the longest grace everything must be known. The
 * controller may be back, or not.
 */
function rest(episode: Episode, makeEngine: MakeEngine): void {
  const { cluster, controller, delivery, engine, offences } = episode;
  cluster.diary.push('all goes quiet');
  const starts = cluster.random.chance(0.4) && controller.state !== 'up';
  if (starts && !isUninstalled(cluster)) controller.start();
  for (const name of delivery.names)
    if (delivery.stateOf(name) !== 'following') delivery.relist(name, cluster.now);
  pass(episode, QUIET);
  pass(episode, QUIET);
  if (offences.length > 0) return;
  offences.push(...episode.referee.settled(engine.findings(), engine.unknowns(), QUIET));
  const whole = makeEngine();
  whole.apply(createDelivery(cluster.database, cluster.objects).changes(cluster.now));
  offences.push(...differences(judged(engine), judged(whole)));
}

/** The rules that judge what was, too, of which a view of what is shows nothing. */
const OF_THE_PAST: ReadonlySet<string> = new Set([
  'acls-at-risk',
  'kept-address-changed',
  'kept-address-lost',
  'neighbour-damaged',
  'neighbours-at-risk',
]);

/**
 * What stands now; a finding that cannot be judged any more is kept by design and is no answer of
 * today.
 */
function judged(engine: Engine): Set<string> {
  const undecided = new Set(engine.unknowns().map((it) => `${it.rule} ${it.subject?.uid ?? ''}`));
  return new Set(
    engine
      .findings()
      .filter(
        ({ rule, subject }: Finding) =>
          !OF_THE_PAST.has(rule) &&
          !undecided.has(`${rule} `) &&
          !undecided.has(`${rule} ${subject.uid}`),
      )
      .map(({ rule, summary }) => `${rule}: ${summary}`),
  );
}

function* differences(step: ReadonlySet<string>, whole: ReadonlySet<string>): Generator<Offence> {
  for (const difference of step)
    if (!whole.has(difference))
      yield {
        kind: 'differences',
        sort: difference.split(':')[0]!,
        what: `only change by change: ${difference}`,
      };
  for (const difference of whole)
    if (!step.has(difference))
      yield {
        kind: 'differences',
        sort: difference.split(':')[0]!,
        what: `only checked whole: ${difference}`,
      };
}
