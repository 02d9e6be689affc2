import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, kafka } from '../fixture';
import { makeScratch, removeScratch } from '../run/guard';
import { formatStorage, makeKafkaId } from './format';
import { layOut } from './layout';
import { openKafkaSite, type KafkaSite } from './site';

/** The lines of a properties file without comments, in order. */
const properties = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .sort()
      .map((line) => line.split('=', 2) as [string, string]),
  );

describeWith(kafka, 'formatting the data folder of a Kafka broker', () => {
  let folder: string;
  let site: KafkaSite;
  beforeAll(async () => {
    folder = makeScratch('kafka');
    site = await openKafkaSite(folder, []);
  });
  afterAll(async () => {
    await site?.close();
    removeScratch(folder);
  });

  const format = async (name: string, id: number, clusterId: string, further: string[] = []) => {
    mkdirSync(join(folder, name));
    const [node] = layOut(join(folder, name), [{ id, ports: { PLAIN: 1, CONTROLLER: 2 } }], {
      listen: site.listen,
    });
    const run = { ...site.java, bootstrap: join(folder, 'bootstrap') };
    await formatStorage(site, run, node!, { clusterId, further });
    return node!.data;
  };

  it('writes from what is kept what Kafka writes itself, with identities of its own', async () => {
    const scram = ['--add-scram', 'SCRAM-SHA-256=[name=a,password=b]'];
    const withUser = await format('users', 1, makeKafkaId(), scram);
    expect(existsSync(join(folder, 'bootstrap'))).toBe(false);
    const first = await format('first', 1, makeKafkaId());
    const cluster = makeKafkaId();
    const kept = await format('kept', 2, cluster);

    expect(readdirSync(kept).sort()).toEqual(readdirSync(first).sort());
    const metadata = (data: string) => readFileSync(join(data, 'bootstrap.checkpoint'));
    expect(metadata(kept)).toEqual(metadata(first));
    expect(metadata(withUser)).not.toEqual(metadata(first));
    const [ofFirst, ofKept] = [first, kept].map((it) => properties(join(it, 'meta.properties')));
    expect(Object.keys(ofKept!)).toEqual(Object.keys(ofFirst!));
    expect(ofKept).toMatchObject({ 'cluster.id': cluster, 'node.id': '2' });
    expect(ofKept!['version']).toBe(ofFirst!['version']);
    expect(ofKept!['directory.id']).toHaveLength(22);
    expect(ofKept!['directory.id']).not.toBe(ofFirst!['directory.id']);
  });
});
