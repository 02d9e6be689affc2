import { existsSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, kafka } from '../fixture';
import { makeScratch, removeScratch } from '../run/guard';
import { makeCacheFolder, markComplete } from './cache';
import { KAFKA_VERSION, kafkaAtHand, provisionQuickKafka } from './kafka';

const fetched = kafkaAtHand();

/** Where brokers run in containers, nothing of it is here, and nothing is to be made. */
const describeFetched = fetched === undefined ? describe.skip : describe;

describeWith(kafka, 'on this machine', () => {
  describeFetched('Kafka that was fetched while another Java was here', () => {
    const before = process.env['XDG_CACHE_HOME'];
    let scratch: string;
    beforeAll(() => {
      scratch = makeScratch('cache');
      process.env['XDG_CACHE_HOME'] = scratch;
      const from = join(fetched!.classpath, '..');
      const to = makeCacheFolder(`kafka-${KAFKA_VERSION}`);
      for (const name of readdirSync(from).filter((it) => it.endsWith('.jar')))
        symlinkSync(join(from, name), join(to, name));
      markComplete(to);
    });
    afterAll(() => {
      if (before === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = before;
      removeScratch(scratch);
    });

    it('gets an archive of its classes, once', async () => {
      const said: string[] = [];
      const { archive } = kafkaAtHand()!;
      expect([archive.startsWith(scratch), existsSync(archive)]).toEqual([true, false]);
      await provisionQuickKafka((it) => said.push(it));
      const made = statSync(archive).mtimeMs;
      await provisionQuickKafka((it) => said.push(it));
      expect([said.length, statSync(archive).mtimeMs]).toEqual([1, made]);
    });

    it('starts without one where it cannot be made', async () => {
      const said: string[] = [];
      const { archive, classpath } = kafkaAtHand()!;
      rmSync(archive, { force: true });
      rmSync(join(classpath, '..', `kafka_2.13-${KAFKA_VERSION}.jar`));
      await provisionQuickKafka((it) => said.push(it));
      expect(said.at(-1)).toContain('no class-data archive for Kafka, so brokers start slower: ');
      expect(existsSync(archive)).toBe(false);
    });
  });
});
