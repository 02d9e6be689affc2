import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Remedy } from '@ovn-steward/contracts/findings/finding';
import { heldJudgement, needsText } from '../engine/judge';
import { RULES } from '../rules/registry';
import type { Rule, Violation } from '../rule-kit/rule';
import { type Blocker, isTerminating } from '../kube-ovn/deletion';
import { type Entity, keyOf } from '../world/entity';
import { kubectlDelete } from '../rule-kit/kubectl';
import { declaredKinds, kindsNotKnown } from '../rule-kit/declared-kinds';
import { View } from '../rule-kit/view';
import type { World } from '../world/world';
import { HANGING_KINDS } from './hanging-kinds';

/**
 * The state of an object that others wait for. `terminating`: it is stuck itself. `there`: it is
 * not being deleted. `row`: of OVN.
 */
export type NodeState = 'terminating' | 'there' | 'row';

/** One reason why something waits, with what is behind it. */
export interface Wait {
  readonly because: string;
  readonly remedy?: string;
  /** The same as a line for a shell. */
  readonly run?: string;
  readonly of: readonly DiagnosisNode[];
  /** How many more are behind it than are drawn. */
  readonly more: number;
}

/** A thing that does not go, or that keeps another from going. */
export interface DiagnosisNode {
  readonly entity: Entity;
  readonly state: NodeState;
  /** Since when it is terminating, RFC 3339. */
  readonly since?: string;
  readonly waits: readonly Wait[];
  /** The rule that says so, with what would mend it where that is proven. */
  readonly rule?: string;
  readonly summary?: string;
  readonly remedy?: Remedy;
  /** Why nobody can say what it waits for. */
  readonly unknown?: string;
  /** It was drawn already, above or beside: what it waits for is not drawn again. */
  readonly again?: true;
}

/** So many things of one wait are drawn: a subnet of thousands of pods is not a tree any more. */
const MOST_CHILDREN = 20;
/** And so many in all. */
const MOST_NODES = 500;
const MOST_DEPTH = 12;

const CLASSES = new Set(['stuck', 'leak']);
const rulesOf = (kind: string): readonly Rule[] =>
  RULES.filter((it) => it.subject === kind && CLASSES.has(it.class));

/**
 * What a thing waits for, down to what waits for nothing. By the rules alone: what they cannot
 * know, the tree does not say. Nothing is drawn twice, so that a circle ends, and the size is
 * bounded.
 */
export function treeOf(root: Entity, world: World): DiagnosisNode {
  return growing(world)(root, 0);
}

/** One tree for each, in which nothing is drawn twice over all of them. */
export function treesOf(roots: readonly Entity[], world: World): readonly DiagnosisNode[] {
  const grow = growing(world);
  return roots.map((it) => grow(it, 0));
}

function growing(world: World): (entity: Entity, depth: number) => DiagnosisNode {
  const drawn = new Set<string>();
  const grow = (entity: Entity, depth: number): DiagnosisNode => {
    const bare = bareOf(entity);
    if (drawn.has(entity.uid)) return { ...bare, again: true };
    drawn.add(entity.uid);
    if (entity.source !== 'kubernetes') return bare;
    const judged = judge(entity, world);
    const { violation } = judged;
    if (violation === undefined)
      return {
        ...bare,
        waits: usersOf(entity, world),
        ...(judged.unknown === undefined ? {} : { unknown: judged.unknown }),
      };
    const waits = (violation.waits ?? []).map((it) => waiting(it, depth));
    return {
      ...bare,
      waits,
      rule: judged.rule!,
      summary: violation.summary,
      ...(violation.remedy && { remedy: violation.remedy }),
    };
  };
  const waiting = ({ because, remedy, run, by, all }: Blocker, depth: number): Wait => {
    const behind = all ?? (by ? [by] : []);
    const room =
      depth + 1 >= MOST_DEPTH ? 0 : Math.max(0, Math.min(MOST_CHILDREN, MOST_NODES - drawn.size));
    const of = behind.slice(0, room).map((it) => grow(it, depth + 1));
    return {
      because,
      ...(remedy === undefined ? {} : { remedy }),
      ...(run === undefined ? {} : { run }),
      of,
      more: behind.length - of.length,
    };
  };
  return grow;
}

/** Without what it waits for. */
function bareOf(entity: Entity): DiagnosisNode {
  const { deletionTimestamp: since, finalizers = [] } =
    (
      entity.object as {
        readonly metadata?: {
          readonly deletionTimestamp?: string;
          readonly finalizers?: readonly string[];
        };
      }
    ).metadata ?? {};
  const state: NodeState =
    entity.source !== 'kubernetes'
      ? 'row'
      : since !== undefined && finalizers.length > 0
        ? 'terminating'
        : 'there';
  return { entity, state, waits: [], ...(since === undefined ? {} : { since }) };
}

interface Judged {
  readonly rule?: string;
  readonly violation?: Violation;
  readonly unknown?: string;
}

/**
 * What the rules about things that are stuck or leaked say of one; the first that finds anything.
 */
function judge(entity: Entity, world: World): Judged {
  let unknown: string | undefined;
  for (const rule of rulesOf(entity.kind)) {
    const { needs, all } = declaredKinds(rule);
    const missing = kindsNotKnown(needs, world);
    if (missing.length > 0) {
      unknown ??= needsText(missing);
      continue;
    }
    const verdict = heldJudgement(rule, entity, new View(world, all));
    if (verdict.is === 'violation' && verdict.violations[0])
      return { rule: rule.id, violation: verdict.violations[0] };
    if (verdict.is === 'unknown') unknown ??= verdict.reason;
  }
  return unknown === undefined ? {} : { unknown };
}

/** Of an address that is not being deleted: the pod that has it. */
function usersOf(entity: Entity, world: World): readonly Wait[] {
  if (entity.kind !== 'IP') return [];
  const { podName = '', namespace = '' } = (entity as Entity<'IP'>).object.spec ?? {};
  const [pod] = podName && namespace ? world.byKey('Pod', `${namespace}/${podName}`) : [];
  if (!pod) return [];
  const since = bareOf(pod).since;
  if (since !== undefined)
    return [
      {
        because: `Pod ${keyOf(pod)}, whose deletion began at ${since}, has it`,
        remedy: `see why Pod ${keyOf(pod)} does not end: its finalizers, or a node that does not answer`,
        of: [],
        more: 0,
      },
    ];
  const run = kubectlDelete(pod);
  return [
    {
      because: `Pod ${keyOf(pod)} has it`,
      remedy: `delete Pod ${keyOf(pod)}, or have it recreated in another subnet`,
      ...(run === undefined ? {} : { run }),
      of: [],
      more: 0,
    },
  ];
}

/** What others go into comes before them, so that they are drawn below it. */
const FIRST = ['Vpc', 'Subnet', 'QoSPolicy', 'OvnEip', 'IptablesEIP', 'VpcNatGateway'];

/**
 * Every object that is being deleted and is still there, in a fixed order: by kind, then by name.
 */
export function allStuck(world: World): readonly Entity[] {
  const kinds = [...new Set([...FIRST, ...HANGING_KINDS])];
  return kinds.flatMap((kind) =>
    [...world.entities(kind)].filter(isTerminating).sort(ascendingBy(keyOf)),
  );
}
