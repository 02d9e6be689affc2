import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { FINDINGS, TOPICS } from '@ovn-steward/shared/log/topics';
import { blocksOf, ROOT } from '../testing/pages';

const SAMPLE = JSON.parse(
  readFileSync(join(ROOT, 'contracts/examples/finding-event.v1.confirmed.json'), 'utf8'),
) as { data: object };

const record = (id: string, revision: number, state: string) => ({
  key: id,
  value: JSON.stringify({
    ...SAMPLE,
    id: `${id}/${revision}`,
    data: { ...SAMPLE.data, id, revision, state },
  }),
  timestamp: Date.now(),
});
const tombstone = (id: string) => ({ key: id, value: null, timestamp: Date.now() });

describeWith(kafka, 'the subscriber of docs/kafka.md', () => {
  let cluster: KafkaCluster;
  let log: Log;
  beforeAll(async () => {
    cluster = await startKafka();
    log = openKafkaLog({ brokers: cluster.bootstrap, clientId: 'test', replicationFactor: 1 });
    await log.ensureTopics(TOPICS);
  }, 180_000);
  afterAll(async () => {
    await log?.close();
    await cluster?.stop();
  });

  it('tells each finding once a revision, from the beginning, and forgets what has a tombstone', async () => {
    const { text } = blocksOf('docs/kafka.md').find(({ info }) => info === 'js subscriber')!;
    await log.append(FINDINGS, 3, [
      record('a', 1, 'suspected'),
      record('b', 1, 'suspected'),
      record('a', 2, 'confirmed'),
      record('a', 1, 'suspected'),
      record('a', 2, 'confirmed'),
      tombstone('b'),
    ]);
    const subscriber = spawn(process.execPath, ['-e', text], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', BROKERS: cluster.bootstrap.join(',') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      let lines: string[] = [];
      await new Promise<void>((resolve, reject) => {
        let output = '';
        subscriber.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
        subscriber.stdout.setEncoding('utf8').on('data', (heard: string) => {
          output += heard;
          lines = output
            .split('\n')
            .filter((it) => it.startsWith('suspected') || it.startsWith('confirmed'))
            .map((it) => it.replace(/ [a-z-]+ (\w) /, ' $1 '));
          if (lines.length === 3)
            void log.append(FINDINGS, 3, [record('b', 1, 'suspected')]).catch(reject); // forgotten, so it is news
          if (lines.length >= 4) resolve();
        });
      });
      expect(lines).toEqual([
        'suspected a revision 1',
        'suspected b revision 1',
        'confirmed a revision 2',
        'suspected b revision 1',
      ]);
    } finally {
      subscriber.removeAllListeners('exit');
      subscriber.kill('SIGKILL');
    }
  });
});
