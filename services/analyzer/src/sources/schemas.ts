import { SourceStatus } from '@ovn-steward/contracts/status/source-status';
import { OF_CLUSTER } from '@ovn-steward/service/http/page';
import { z } from 'zod';

/** The query of `GET /sources`. */
export const SourcesQuery = z.strictObject({ ...OF_CLUSTER });
export type SourcesQuery = z.infer<typeof SourcesQuery>;

/** How far a source is known, in the words of `steward.status.v1`. */
const KnownSource = SourceStatus.omit({
  version: true,
  findingsThrough: true,
  analyzer: true,
  writtenAt: true,
});

export const Sources = z.object({
  sources: z.array(KnownSource).describe('Of each cluster each source that some rule reads.'),
});
export type Sources = z.infer<typeof Sources>;
