import { notificationAsOcsf } from '@ovn-steward/contracts/bridges/ocsf-detection-finding';
import type { SinkType } from './sink';

/**
 * A Detection Finding of OCSF for each group: created, updated and closed under one
 * `finding_info.uid`.
 */
export const ocsf: SinkType = { path: '', body: (it) => notificationAsOcsf(it) };
