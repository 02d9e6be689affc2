import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith, kafka, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type Bed, startBed } from './support/bed';
import { type Life, startLife } from './support/life';
import { randomOf } from './support/random';
import type { Service, ServiceName } from './support/service';
import { readTopic } from './support/topic';
import { judge } from './support/verdict';
import { FULLER_SINCE, beforeRoot, describeWithVersionBefore } from './upgrade/version-before';

const NAMES = ['collector', 'analyzer', 'executor'] as const;
const CLEAN = { lost: [], duplicated: [], differing: [] };
/** Both versions work side by side for so long, while the cluster changes. */
const TOGETHER_MS = 4000;

describeWith(ovn, 'with OVN', () => {
  describeWith(kubernetes, 'a Kubernetes', () => {
    describeWith(kafka, 'and Kafka', () => {
      describeWithVersionBefore('services of the version before', () => {
        let folder: string;
        let bed: Bed;
        let life: Life;
        const running: Service[] = [];
        beforeAll(async () => {
          folder = mkdtempSync(join(tmpdir(), 'steward-rolled-'));
          bed = await startBed({ root: beforeRoot() });
          running.push(...NAMES.map((it) => bed[it]));
          life = startLife({
            nbctl: bed.nb.nbctl,
            api: bed.kubernetes.api,
            random: randomOf(7),
          });
        }, 180_000);
        afterAll(async () => {
          await Promise.all(running.map((it) => it.kill()));
          await bed?.stop();
          rmSync(folder, { recursive: true, force: true });
        });

        const stateOf = (name: ServiceName): string => join(folder, name);
        const start = async (name: ServiceName, root?: string): Promise<Service> => {
          const service = await bed.another(name, {
            ...(root !== undefined && { root }),
            settings: { stateDir: stateOf(name) },
          });
          running.push(service);
          return service;
        };
        /** While pods come and go, with what is left of some. */
        const living = async (work: () => Promise<void>): Promise<void> => {
          const over = { yet: false };
          const lived = (async () => {
            while (!over.yet) {
              await life.step();
              await sleep(200);
            }
          })();
          try {
            await work();
          } finally {
            over.yet = true;
            await lived;
          }
        };
        const ended = (): string[] => running.filter((it) => it.ends() > 0).map((it) => it.name);

        const upgraded: Partial<Record<ServiceName, Service>> = {};

        test('are replaced one by one by this version, with both at work meanwhile, and nothing is lost or found twice', async () => {
          await living(async () => {
            for (const name of NAMES) {
              upgraded[name] = await start(name);
              await sleep(TOGETHER_MS);
              expect(await bed[name].stop()).toBe(0);
              await upgraded[name].ready();
            }
          });
          expect(await judge(bed.judged)).toEqual(CLEAN);
          expect(ended()).toEqual([]);
        }, 300_000);

        test('this version on a lost volume finds the same', async () => {
          await living(async () => {
            for (const name of ['analyzer', 'collector', 'executor'] as const) {
              await upgraded[name]!.kill();
              rmSync(stateOf(name), { recursive: true });
              upgraded[name]!.start();
              await upgraded[name]!.ready();
            }
          });
          expect(await judge(bed.judged)).toEqual(CLEAN);
          expect(ended()).toEqual([]);
        }, 300_000);

        test('rolled back on the state of this version they find the same, and no record was refused', async () => {
          await living(async () => {
            for (const name of NAMES) {
              expect(await upgraded[name]!.stop()).toBe(0);
              await (await start(name, beforeRoot())).ready();
            }
          });
          expect(await judge({ ...bed.judged, keysOnly: FULLER_SINCE })).toEqual(CLEAN);
          expect(ended()).toEqual([]);
          expect(await readTopic(bed.kafka.bootstrap, 'steward.dead-letter.v1')).toEqual([]);
        }, 300_000);
      });
    });
  });
});
