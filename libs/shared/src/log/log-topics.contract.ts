import type { CompactedTopic } from './log';
import { type Bench, brief, fresh, readAll } from './log-bench';

/** Topics are made once, verified, and never guessed. */
export function describeTopics(bench: Bench): void {
  const { topic, compacted, expiring, record, reopen, lagMs } = bench;

  describe('topics', () => {
    it('are made once, and verified after that', async () => {
      const spec = compacted();
      await bench.log.ensureTopics([spec, expiring()]);
      await bench.log.append(spec.name, 1, [record('a')]);
      await bench.log.ensureTopics([spec]);
      await reopen();
      await bench.log.ensureTopics([spec]);
      expect(brief(await readAll(bench.log, spec.name, 1))).toEqual([['a', 'x']]);
    });

    it.each<[string, Partial<CompactedTopic>]>([
      ['partitions', { partitions: 3 }],
      ['minCompactionLagMs', { minCompactionLagMs: 7 }],
      ['deleteRetentionMs', { deleteRetentionMs: 30 * lagMs }],
      ['maxMessageBytes', { maxMessageBytes: 177_777 }],
    ])(
      'that keep less than they must by %s are refused by name and setting',
      async (setting, change) => {
        const spec = compacted();
        await bench.log.ensureTopics([spec]);
        await expect(bench.log.ensureTopics([{ ...spec, ...change }])).rejects.toMatchObject({
          code: 'log-topic-drift',
          message: expect.stringContaining(setting),
        });
        await expect(bench.log.ensureTopics([{ ...spec, ...change }])).rejects.toThrow(spec.name);
      },
    );

    it('that keep more than they must are taken, each with a sentence', async () => {
      const spec = compacted({ minCompactionLagMs: 5 });
      expect(await bench.log.ensureTopics([spec])).toEqual([]);
      const less = { minCompactionLagMs: 4, deleteRetentionMs: 2 * lagMs, maxMessageBytes: 77_777 };
      const notes = await bench.log.ensureTopics([{ ...spec, ...less }]);
      expect(notes).toHaveLength(3);
      for (const [at, setting] of Object.keys(less).entries())
        expect(notes[at]).toMatch(new RegExp(`^${spec.name}: ${setting}.* harms nothing`));
      await bench.log.append(spec.name, 0, [record('a')]);
      expect(brief(await readAll(bench.log, spec.name))).toEqual([['a', 'x']]);
    });

    it('that drifted in cleanup are refused', async () => {
      const { name, partitions, maxMessageBytes } = compacted();
      await bench.log.ensureTopics([compacted({ name })]);
      await expect(
        bench.log.ensureTopics([
          { name, partitions, maxMessageBytes, cleanup: 'delete', retentionMs: lagMs },
        ]),
      ).rejects.toMatchObject({ code: 'log-topic-drift' });
    });

    it('that nobody made are not guessed', async () => {
      const known = await topic();
      for (const [unknown, partition] of [
        [fresh(), 0],
        [known, 2],
        [known, -1],
      ] as const) {
        await expect(bench.log.append(unknown, partition, [record('a')])).rejects.toMatchObject({
          code: 'log-topic-unknown',
        });
        await expect(bench.log.read(unknown, partition, 0n, 1)).rejects.toMatchObject({
          code: 'log-topic-unknown',
        });
        await expect(bench.log.watermarks(unknown, partition)).rejects.toMatchObject({
          code: 'log-topic-unknown',
        });
      }
      const consuming = bench.log.consume({
        group: 'g',
        topics: [fresh()],
        resumeAt: () => 0n,
        onBatch: async () => undefined,
        signal: new AbortController().signal,
      });
      await expect(consuming).rejects.toMatchObject({ code: 'log-topic-unknown' });
    });
  });
}
