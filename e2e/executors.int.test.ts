import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith, kafka, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type ExecutorsBed, startExecutorsBed } from './support/executors-bed';
import { randomOf } from './support/random';
import type { Service } from './support/service';
import { until } from '@ovn-steward/shared/testing/until';

const PORTS = 150;
const KILLS = 4;
/** Another run, other moments; the number is shown with what fails. */
const SEED = Number(process.env['STEWARD_TEST_SEED'] ?? 20260302);

describeWith(ovn, 'with a Northbound of three servers', () => {
  describeWith(kafka, 'and Kafka', () => {
    describeWith(kubernetes, 'and Kubernetes, two executors of one cluster', () => {
      let bed: ExecutorsBed;
      let before: string;
      beforeAll(async () => {
        bed = await startExecutorsBed();
        before = await bed.witness.contents();
      }, 240_000);
      afterAll(() => bed?.stop());

      const gone = (ports: readonly string[], count: number): Promise<number> =>
        until(
          () => {
            const amount = bed.witness.gone(ports);
            return amount >= count ? amount : undefined;
          },
          () =>
            `${bed.witness.gone(ports)} of the ${count} ports are gone, with seed ${SEED}\n${bed.executors.map((it) => it.output().slice(-3000)).join('\n')}`,
        );
      /** How long it took until something more was removed, in seconds. */
      const goesOn = async (ports: readonly string[]): Promise<string> => {
        const began = performance.now();
        const was = bed.witness.gone(ports);
        await gone(ports, was + 1);
        return ((performance.now() - began) / 1000).toFixed(1);
      };

      /**
       * Each of them was removed by one transaction that names its one action, which ended; and
       * nothing else was touched.
       */
      const removedOnce = async (ports: readonly string[]): Promise<void> => {
        const actions = await until(
          async () => {
            const records = await bed.actions(ports);
            return records.length === ports.length && records.every(({ state }) => state === 'done')
              ? records
              : undefined;
          },
          async () =>
            `not done: ${JSON.stringify((await bed.actions(ports)).filter((it) => it.state !== 'done').map(({ id, state, code, reason }) => ({ id, state, code, reason })))}`,
          { pauseMs: 1000 }, // each reads the whole topic anew
        );
        expect(new Set(actions.map((it) => it.target.uid))).toEqual(new Set(ports));
        expect(ports.map((it) => bed.witness.deletions.get(it))).toEqual(ports.map(() => 1));
        const epitaphs = await bed.witness.epitaphs();
        expect(actions.map((it) => epitaphs.get(it.target.uid))).toEqual(
          actions.map(({ id }) => [expect.stringContaining(`action ${id}`)]),
        );
        expect(await bed.witness.contents()).toBe(before);
      };

      test('the one that acts is killed again and again: another goes on, and everything is removed once', async () => {
        const random = randomOf(SEED);
        const ports = await bed.leak('killed', PORTS);
        for (let kill = 1; kill <= KILLS; kill += 1) {
          await gone(
            ports,
            Math.max(
              bed.witness.gone(ports) + 1,
              Math.floor((kill - random()) * (PORTS / (KILLS + 1))),
            ),
          );
          const acting = await bed.acting();
          await sleep(random() * 100);
          await acting.kill();
          const takenOver = goesOn(ports);
          await sleep(random() * 3000);
          acting.start();
          comment(`kill ${kill}: gone on with after ${await takenOver} s`);
        }
        await gone(ports, PORTS);
        await removedOnce(ports);
      }, 300_000);

      test.each(['when the other has finished', 'while the other removes'])(
        'the one that acts is paused for longer than its session: the other takes over, and who wakes %s removes nothing more',
        async (moment) => {
          const finished = moment.startsWith('when');
          const ports = await bed.leak(finished ? 'paused' : 'woken', PORTS);
          const random = randomOf(SEED + 1);
          await gone(ports, 40);
          const paused = await bed.acting();
          await sleep(random() * 100);
          const other = bed.executors.find((it) => it !== paused)!;
          const reportedByOther = other.output().length;
          paused.signal('SIGSTOP');
          const reported = paused.output().length;
          // What the paused one had sent may still be carried out: only a claim of the other shows
          // that it took over.
          await until(
            () =>
              other.output().slice(reportedByOther).includes('"message":"action claimed"')
                ? true
                : undefined,
            () => `nobody takes over: ${other.output().slice(reportedByOther)}`,
          );
          if (finished) await gone(ports, PORTS);
          paused.signal('SIGCONT');
          // It gives back what it had, and joins again: only then it is settled who has the
          // cluster.
          await until(
            () =>
              /"message":"partitions-revoked"[^]*"message":"partitions-assigned"/.test(
                paused.output().slice(reported),
              )
                ? true
                : undefined,
            () => `who woke goes on as if nothing had been: ${paused.output().slice(reported)}`,
          );
          comment(`who woke said: ${[...new Set(messagesOf(paused, reported))].join(', ')}`);
          await gone(ports, PORTS);
          await removedOnce(ports);
          const more = await bed.leak(finished ? 'paused-more' : 'woken-more', 20);
          await gone(more, 20);
          await removedOnce([...ports, ...more]);
          expect(new Set((await bed.actions(more)).map((it) => it.executor)).size).toBe(1);
        },
        240_000,
      );

      test('a hold is respected within seconds, and what is resumed goes on', async () => {
        const ports = await bed.leak('held', PORTS);
        await gone(ports, 5);
        const said = await bed.steward('hold', '--reason', 'to see that it is respected');
        expect(said).toMatch(/^Acknowledged by executors at \S+Z\.$/m);
        const shown = JSON.parse(await bed.steward('holds', '--output', 'json')) as unknown;
        expect(shown).toMatchObject({
          holds: [{ scope: {}, reason: 'to see that it is respected', heardBy: ['executors'] }],
        });
        const held = Date.now();
        await sleep(4000);
        const still = bed.witness.gone(ports);
        const last = Math.max(
          ...(await bed.actions(ports)).map((it) => Date.parse(it.claimedAt ?? '1970-01-01')),
        );
        comment(
          `hold: the last removal began ${last - held} ms after the command had ended; ${still} were gone`,
        );
        expect(last).toBeLessThan(held + 2000);
        expect(still).toBeLessThan(PORTS);
        await sleep(2000);
        expect(bed.witness.gone(ports)).toBe(still);
        await bed.steward('resume');
        comment(`resumed: gone on with after ${await goesOn(ports)} s`);
        await gone(ports, PORTS);
        await removedOnce(ports);
      }, 180_000);

      test('the Northbound server that leads is killed: it goes on at the next one', async () => {
        const ports = await bed.leak('elected', PORTS);
        await gone(ports, 40);
        const leader = await bed.nb.leader();
        await leader.kill();
        comment(`leader killed: gone on with after ${await goesOn(ports)} s`);
        await leader.start();
        await gone(ports, PORTS);
        await removedOnce(ports);
      }, 300_000); // a minute of it is the wait after a new leader
    });
  });
});

/** Figures for who reads the output; nothing is held against them. */
const comment = (text: string): void => void process.stderr.write(`${text}\n`);

const messagesOf = (service: Service, from: number): string[] =>
  service
    .output()
    .slice(from)
    .split('\n')
    .flatMap((it) => /"message":"([^"]*)"/.exec(it)?.slice(1) ?? []);
