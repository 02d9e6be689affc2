import { join } from 'node:path';
import { parseSchema } from '@ovn-steward/ovsdb';
import { describeNorthbound, type StartedNorthbound } from '../northbound/northbound.contract';
import { memoryNorthbound } from './memory-northbound';

const recorded = join(__dirname, '../../../../examples/recordings/clean/nb.db');
const empty = parseSchema({ name: 'OVN_Northbound', version: '0.0.0', tables: {} });

async function start(): Promise<StartedNorthbound> {
  const first = memoryNorthbound({ schema: empty });
  await first.database.load(recorded);
  return {
    client: () => first.peer(),
    lossy: () => ({
      client: first.peer(),
      lose: (what) => {
        first.database.fault = () => {
          first.database.fault = undefined;
          return `lose-${what}`;
        };
      },
    }),
    stop: () => first.close(),
  };
}

describeNorthbound('memory', start);
