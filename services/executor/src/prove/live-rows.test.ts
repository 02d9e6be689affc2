import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { recordedRows } from '../testing/recorded-engine';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { liveRows } from './live-rows';
import { rowReferences } from './row-references';
import { selectBatch } from './select-batch';

const never = new AbortController().signal;

test.each(['leaky', 'clean', 'shared-neutron'] as const)(
  'each row of %s, asked for by itself, is what the collector tells of it',
  async (name) => {
    const northbound = await recordedNorthbound(name);
    const schema = await northbound.schema(never);
    const rows = liveRows(selectBatch(northbound, never), schema, rowReferences(schema));
    const told = await recordedRows(name);
    const live = await Promise.all(
      told.map(async ({ kind, uid }) => (await rows.row(kind, uid))!.entity),
    );
    expect(live.map(({ kind, uid, name, object }) => ({ kind, uid, name, object }))).toEqual(told);
    expect(live.map((it) => it.hash)).toEqual(told.map((it) => contentHash(it.object)));
    expect(told.length).toBeGreaterThan(100);
  },
);
