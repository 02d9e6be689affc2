import type { Cluster } from './cluster';
import { check } from './others/checks';
import { going, vip } from './others/going';
import { nodes, subnets } from './others/infrastructure';
import { change, marks } from './others/marks';
import { replica } from './others/misplaced';
import type { Move } from './others/move';
import { collect, finish, loseOwner } from './others/owners';
import { changeController, returnUnder } from './others/controller';
import { createPod, relabel, remake, scale } from './others/pods';
import { createGroup, createPolicy, createService, group } from './others/policies';
import { gateway, meter, tenant } from './others/tenants';

/** Each is drawn by its weight. */
const MOVES: readonly (readonly [weight: number, move: Move])[] = [
  [14, createPod],
  [12, loseOwner],
  [4, collect],
  [4, finish],
  [4, remake],
  [8, change],
  [8, group],
  [4, relabel],
  [6, createPolicy],
  [4, createGroup],
  [5, createService],
  [2, nodes],
  [2, subnets],
  [3, marks],
  [2, scale],
  [2, changeController],
  [2, returnUnder],
  [2, tenant],
  [2, gateway],
  [2, meter],
  [3, check],
  [1, vip],
  [3, going],
  [2, replica],
];
const BAG: readonly Move[] = MOVES.flatMap(([weight, move]) =>
  Array.from({ length: weight }, () => move),
);

/** One move of somebody else, drawn. */
export const others = (cluster: Cluster): void => cluster.random.pick(BAG)(cluster);
