import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { describeForgeries } from './forged.contract';

describe('on a log in memory', () => {
  describeForgeries(async () => openSqliteLog({ file: ':memory:' }));
});
