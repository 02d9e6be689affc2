import { analyzerReplaced } from './analyzer-replaced';
import { apiserverCompacted } from './apiserver-compacted';
import { brokerKilled } from './broker-killed';
import { clockJumped } from './clock-jumped';
import { collectorFrozen } from './collector-frozen';
import { diskFull } from './disk-full';
import type { Fault } from './fault';
import { northboundLeaderPartitioned } from './northbound-leader-partitioned';
import { poisonPlanted } from './poison-planted';
import { recordsRepeated } from './records-repeated';
import { analyzerKilled, collectorKilled, executorKilled } from './services-killed';

/** In this order on one bed: what one leaves behind is there for the next. */
export const FAULTS: readonly Fault[] = [
  collectorKilled,
  analyzerKilled,
  executorKilled,
  analyzerReplaced,
  collectorFrozen,
  brokerKilled,
  northboundLeaderPartitioned,
  apiserverCompacted,
  recordsRepeated,
  poisonPlanted,
  diskFull,
  clockJumped,
];
