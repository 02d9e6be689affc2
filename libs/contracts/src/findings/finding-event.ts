import { z } from 'zod';
import { Finding } from './finding';

/** A finding as it stands on `steward.findings.v1`: CloudEvents 1.0, structured JSON. */
export const FindingEvent = z.object({
  specversion: z.literal('1.0'),
  /** `<finding id>-<revision>`: the same revision sent twice is one event. */
  id: z.string(),
  source: z.string(),
  type: z.literal('dev.ovn-steward.finding.v1'),
  subject: z.string(),
  time: z.string(),
  datacontenttype: z.literal('application/json'),
  dataschema: z.string(),
  partitionkey: z.string(),
  data: Finding,
});
export type FindingEvent = z.infer<typeof FindingEvent>;

const SCHEMA = 'https://ovn-steward.dev/schemas/finding.v1.schema.json';

/** Wraps a finding for the public topic. Pure: the same finding gives the same event. */
export function findingEvent(finding: Finding): FindingEvent {
  return {
    specversion: '1.0',
    id: `${finding.id}-${finding.revision}`,
    source: `urn:ovn-steward:analyzer:${finding.cluster}`,
    type: 'dev.ovn-steward.finding.v1',
    subject: `${finding.subject.source}/${finding.subject.kind}/${finding.subject.uid}`,
    time: finding.resolvedAt ?? finding.lastSeen,
    datacontenttype: 'application/json',
    dataschema: SCHEMA,
    partitionkey: finding.cluster,
    data: finding,
  };
}
