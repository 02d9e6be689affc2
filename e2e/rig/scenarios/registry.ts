import { atRisk } from './at-risk';
import { bfdPort } from './bfd-port';
import { deadNode } from './dead-node';
import { deletions } from './deletions';
import { doctor } from './doctor';
import { egressGateway } from './egress-gateway';
import { enforce, enforceDefaults, enforceOnKafka } from './enforce';
import { gates } from './gates';
import { guard } from './guard';
import { incident } from './incident';
import { keptAddress } from './kept-address';
import { lostRows } from './lost-rows';
import { machinePorts } from './machine-ports';
import { migration } from './migration';
import { natGateways } from './nat-gateways';
import { neutron } from './neutron';
import { planApplyUndo } from './plan-apply-undo';
import { querier } from './querier';
import { read } from './read';
import type { Scenario } from './scenario';

/** In the order in which they are played. */
export const SCENARIOS: readonly Scenario[] = [
  read,
  planApplyUndo,
  enforce,
  enforceOnKafka,
  guard,
  incident,
  deletions,
  doctor,
  gates,
  lostRows,
  keptAddress,
  natGateways,
  atRisk,
  machinePorts,
  migration,
  querier,
  deadNode,
  bfdPort,
  egressGateway,
  neutron,
  enforceDefaults,
];

/** Those that are played unless others are named: all but those that take long. */
export const USUAL: readonly Scenario[] = SCENARIOS.filter((it) => it !== enforceDefaults);
