import { counted } from '@ovn-steward/shared/counted';
import type { Report } from './report';

/** The heading of a report, and the sentence under it; raw. */
export const reportTitle = ({ cluster }: Report): string => `Report of the cluster ${cluster}`;

export function conclusionOf({ summary, asOf, readFrom }: Report): string {
  const when = asOf === '' ? 'at an unknown time' : `as of ${asOf}`;
  const from = readFrom === 'look' ? 'one audit' : 'the memory of a pipeline';
  return `${counted(summary.findings, 'finding')}, ${counted(summary.unknowns, 'subject or rule', 'subjects or rules')} that could not be judged, ${when}, from ${from}. Nothing was changed.`;
}
