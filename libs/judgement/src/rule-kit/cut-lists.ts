import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { crdNameOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { type ListFigure, listEvidence } from '../tallies/list-evidence';
import { kubeOvnNetworks } from '../relations/kube-ovn-networks';
import { type Cell, cell } from '../world/cell';
import type { ReadableWorld } from '../world/readable';
import { LISTED_KINDS, type ListedKind } from '../pairing/listed-kinds';
import { SUBNET_DEFINITION } from './pairing';

/** A kind of which a recording does not seem to hold all objects. */
export interface CutList {
  readonly kind: ListedKind;
  /** One sentence, without its full stop. */
  readonly reason: string;
}

/** Every API server keeps this one (Kubernetes, `kubernetesservice` controller). */
const KEPT_SERVICE = 'default/kubernetes';
/** So many names may be missed in any recording, and at most one in so many of all. */
const FEW = 2;
const ONE_IN = 3;
/**
 * Made by people in ones and twos, and removed by force in incidents: one that is missed is no sign
 * while others of these kinds are there.
 */
const NAT_RULES: readonly string[] = ['OvnFip', 'OvnSnatRule', 'OvnDnatRule'];
/**
 * Any port or address may be one's of these by its name, so that only what was made for such a one
 * rests on them.
 */
const SPECULATED: ReadonlySet<string> = new Set([
  'VirtualMachine',
  'VirtualMachineInstance',
  'StatefulSet',
  'Vip',
  'Node',
]);

const NOTHING = listEvidence.start();

/**
 * Why a recording shows that its list of a kind is not whole, though it says so; undefined where
 * nothing does. A dump that was cut, or recorded with too few rights for one kind or in one
 * namespace, presents everything of that kind as deleted.
 *
 * - A list of Services without `default/kubernetes` is none of an API server.
 * - Subnets have a Vpc each, and there is none: Kube-OVN makes that of the default network at every
 *   start (InitDefaultVpc in pkg/controller/init.go, v1.12 to v1.17).
 * - Rows of Kube-OVN's name objects of the kind, and none of those objects exists. That all were
 *   deleted, and each left its rows, is the rarer case, and cannot be known.
 * - More than a few are missed, and more than a third.
 *
 * A kind whose definition is absent has no objects, whatever names them. None of this applies to
 * living systems: they answer for themselves.
 */
function cutList(
  world: ReadableWorld,
  kind: ListedKind,
  onRead: (cell: Cell) => void,
): CutList | undefined {
  if (!world.knows(kind) || isUndefined(world, kind, onRead)) return undefined;
  const { found, missed, there, needed } = figureOf(world, kind, onRead);
  if (kind === 'Service') {
    onRead(cell.presence('Service', KEPT_SERVICE));
    if (!world.hasKey('Service', KEPT_SERVICE))
      return cut(kind, `it lacks ${KEPT_SERVICE}, which every API server keeps`);
  }
  if (kind === 'Vpc' && needed > 0 && there === 0)
    return cut(kind, 'Subnets are of some, and not one of them is there');
  const isLoneRule = (): boolean =>
    missed === 1 &&
    NAT_RULES.includes(kind) &&
    NAT_RULES.some((it) => figureOf(world, it, onRead).found > 0);
  if (missed > 0 && found === 0 && !isLoneRule())
    return cut(kind, 'other rows and objects were made for some, and not one of them is there');
  return missed > FEW && missed * ONE_IN > found + missed
    ? cut(kind, 'more than a third of those for which rows and objects were made are not there')
    : undefined;
}

const cut = (kind: ListedKind, why: string): CutList => ({
  kind,
  reason: `the recorded list of ${kind} does not seem whole: ${why}`,
});

/** All lists of a recording that do not seem whole, in the order of the kinds. */
export const cutLists = (world: ReadableWorld): readonly CutList[] =>
  world.recorded ? LISTED_KINDS.flatMap((kind) => cutList(world, kind, () => {}) ?? []) : [];

/** What shows that something absent was left out of a recording. */
export interface ListDoubt {
  /** Whether it is enough that something lives only with it, however whole the list seems. */
  readonly isNeedProof: boolean;
}

/**
 * Why what a proof calls absent may only be missing in the recording, in one sentence; undefined
 * where nothing shows that.
 */
export function doubtOfLists(
  world: ReadableWorld,
  proof: readonly Fact[],
  onRead: (cell: Cell) => void,
  { isNeedProof }: ListDoubt = { isNeedProof: true },
): string | undefined {
  if (!world.recorded) return undefined;
  for (const fact of proof) {
    if (fact.fact !== 'absent' && fact.fact !== 'unclaimed') continue;
    const kind = LISTED_KINDS.find((it) => it === fact.kind);
    if (kind === undefined) continue;
    const key = fact.fact === 'absent' ? fact.key : undefined;
    const counts = key === undefined ? undefined : figureOf(world, kind, onRead).byKey.get(key);
    if (isNeedProof && counts !== undefined && counts.needed > 0)
      return `${kind} ${key} is not in the recording, yet what lives only with it is: the list was not recorded whole`;
    const isMeant = !SPECULATED.has(kind) || (counts?.named ?? 0) > 0;
    const list = isMeant ? cutList(world, kind, onRead) : undefined;
    if (list !== undefined) return list.reason;
  }
  return undefined;
}

function figureOf(world: ReadableWorld, kind: string, onRead: (cell: Cell) => void): ListFigure {
  onRead(cell.tally(listEvidence.id, kind));
  return (world.tallied(listEvidence.id, kind) as ListFigure | undefined) ?? NOTHING;
}

/**
 * Whether the definition of the kind is absent. A list of definitions without that of Subnets, of
 * which there are some, is cut itself.
 */
function isUndefined(
  world: ReadableWorld,
  kind: ListedKind,
  onRead: (cell: Cell) => void,
): boolean {
  const known = kubernetesKind(kind);
  const definition = known && crdNameOf(known);
  if (definition === undefined) return false;
  const isDefined = (name: string): boolean => {
    onRead(cell.presence('CustomResourceDefinition', name));
    return world.hasKey('CustomResourceDefinition', name);
  };
  onRead(cell.some(kubeOvnNetworks.id, 'any'));
  return (
    world.knows('CustomResourceDefinition') &&
    !isDefined(definition) &&
    (isDefined(SUBNET_DEFINITION) || !world.hasRelated(kubeOvnNetworks.id, 'any'))
  );
}
