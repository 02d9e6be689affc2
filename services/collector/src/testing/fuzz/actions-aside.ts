import type { Act } from './actions';
import { changeDnat } from './others/dnat-rules';
import { meddle } from './others/meddlers';
import { changePool } from './others/ip-pools';
import { changeLab } from './others/lab';
import { changeLog } from './others/policy-writers';
import { changeNatGateway } from './others/nat-gateways';
import { changeSecurityGroup } from './others/security-groups';
import { changeService } from './others/services';
import { changeTenant } from './others/tenants';
import { changeOutsideOfVpc } from './others/vpc-external';
import { changeVip } from './others/vips';
import { changeRoutes } from './others/vpc-routes';
import { changeWorkload } from './others/workloads';
import type { Cluster } from './cluster';

/**
 * What happens beside the step itself, drawn by weight from draws of its own: so the histories of a
 * seed stay what they were when there is more of it.
 */
const ASIDES: readonly (readonly [weight: number, act: (cluster: Cluster) => void])[] = [
  // Whatever is new is drawn instead of nothing: then what else is drawn stays what it was.
  [40, () => undefined],
  [6, changeLog],
  [6, changeLab],
  [3, changeRoutes],
  [10, changeTenant],
  [6, changeDnat],
  [6, changeVip],
  [8, changeNatGateway],
  [8, changeService],
  [4, meddle],
  [4, changePool],
  [8, changeSecurityGroup],
  [5, changeOutsideOfVpc],
  [5, changeWorkload],
];
const BAG = ASIDES.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

/** What somebody does aside, drawn. */
export const actAside: Act = ({ cluster }) => cluster.random.pick(BAG)(cluster);
