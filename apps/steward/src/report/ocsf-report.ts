import { findingAsOcsf } from '@ovn-steward/contracts/bridges/ocsf-detection-finding';
import { VERSION } from '../process/version';
import type { Report } from './report';

/**
 * The findings as Detection Findings of OCSF, one a line. What could not be judged has no place in
 * it.
 */
export function* ocsfReport({ findings }: Report): Generator<string> {
  for (const it of findings) yield `${JSON.stringify(findingAsOcsf(it, VERSION))}\n`;
}
