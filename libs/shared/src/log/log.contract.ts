import { brief, createBench, type LogContract, readAll } from './log-bench';
import { describeAppend } from './log-append.contract';
import { describeCompaction } from './log-compaction.contract';
import { describeConsume } from './log-consume.contract';
import { describeTopics } from './log-topics.contract';

/**
 * The promises of `Log`, for any adapter: `describeLog({ name: 'SQLite', … })` in the adapter's
 * test.
 */
export function describeLog(contract: LogContract): void {
  describe(`the log contract, kept by ${contract.name}`, () => {
    const bench = createBench(contract);
    describeTopics(bench);
    describeAppend(bench);
    describeCompaction(bench);
    describeConsume(bench);

    it('keeps committed positions by group, and reads by none of them', async () => {
      const name = await bench.topic();
      await bench.log.append(name, 0, [bench.record('a'), bench.record('b')]);
      expect(await bench.log.committed('g')).toEqual([]);
      await bench.log.commit('g', [
        { topic: name, partition: 0, offset: 1n },
        { topic: name, partition: 1, offset: 0n },
      ]);
      await bench.log.commit('g', [{ topic: name, partition: 0, offset: 2n }]);
      await bench.log.commit('h', [{ topic: name, partition: 0, offset: 1n }]);
      await bench.reopen();
      expect(await bench.log.committed('g')).toEqual([
        { topic: name, partition: 0, offset: 2n },
        { topic: name, partition: 1, offset: 0n },
      ]);
      expect(await bench.log.committed('h')).toEqual([{ topic: name, partition: 0, offset: 1n }]);
      expect(brief(await readAll(bench.log, name))).toHaveLength(2);
    });
  });
}
