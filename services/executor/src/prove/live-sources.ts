import { checkSchema } from '@ovn-steward/systems/ovn/failure';
import type { Systems } from '@ovn-steward/systems/systems';
import type { BulkCache } from './bulk-cache';
import type { ProofSources } from './fetch-answers';
import type { LiveObjects } from './live-objects';
import { LiveRows } from './live-rows';
import { rowReferences } from './row-references';
import { selectBatch } from './select-batch';

/**
 * What a proof reads from, its schema read at most once within the age of `cache`.
 * @throws Failure when the database cannot be read, or has no schema of OVN.
 */
export async function liveSources(
  { northbound }: Pick<Systems, 'northbound'>,
  objects: LiveObjects,
  cache: BulkCache,
  signal: AbortSignal,
): Promise<ProofSources> {
  const { schema, references } = await cache.share('schema', async () => {
    const read = await northbound.schema(signal);
    checkSchema('ovn-nb', read, northbound.where);
    return { schema: read, references: rowReferences(read) };
  });
  return {
    rows: new LiveRows(selectBatch(northbound, signal), schema, references),
    objects,
    cache: cache,
  };
}
