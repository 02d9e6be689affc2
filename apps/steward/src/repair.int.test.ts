import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { EXIT } from './process/exit-codes';
import { steward } from './testing/cli';
import { type EnforcedBed, type Picture, spelled, startEnforcedBed } from './testing/enforced-bed';
import { REPAIR_CASES } from './testing/repair-cases';
import { titleOf } from './testing/scenario';

const FOUND = REPAIR_CASES.flatMap(({ finds }) => finds).sort();

describeWith(ovn, 'with a living OVN', () => {
  describeWith(
    kubernetes,
    'and a living Kubernetes, what went wrong where no deletion hangs',
    () => {
      let bed: EnforcedBed;
      let before: Picture;
      beforeAll(async () => {
        bed = await startEnforcedBed('clean', (it) =>
          REPAIR_CASES.forEach(({ plant }) => plant(it)),
        );
        before = await bed.picture();
      }, 200_000);
      afterAll(() => bed?.stop());

      const audit = async (): Promise<readonly string[]> => {
        const { stdout, stderr } = await steward(['audit', ...bed.args, '--output', 'json']);
        expect(stderr).toBe('');
        return (JSON.parse(stdout) as { findings: Finding[] }).findings
          .map((it) => titleOf(it).replace(` ${it.subject.uid}`, ''))
          .sort();
      };

      test('all of it is found, and nothing else', async () =>
        expect(await audit()).toEqual(FOUND));

      test('one plan mends what the executor can: a set that a policy names is proven when the policy is gone', async () => {
        expect(await steward(['plan', '--look', ...bed.args, '--out', bed.plan])).toMatchObject({
          code: EXIT.findings,
          stderr: '',
        });
        const { code, stdout } = await steward([
          'apply',
          bed.plan,
          ...bed.args,
          '--by',
          'test',
          '--output',
          'json',
        ]);
        expect(code).toBe(EXIT.nothingFound);
        const { actions } = JSON.parse(stdout) as {
          actions: { action: string; state: string; reason: string }[];
        };
        const decided = actions.map(
          ({ action, state, reason }) =>
            `${action} ${state === 'done' ? state : `${state}: ${reason}`}`,
        );
        expect(decided.sort()).toEqual(
          REPAIR_CASES.flatMap((it) => it.actions)
            .map((it) => `${it} done`)
            .sort(),
        );
      });

      test('no other row was touched', async () => {
        const after = await bed.picture();
        const gone = [...before.rows]
          .filter(([key]) => !after.rows.has(key))
          .map(
            ([key, row]) =>
              `${key.split(' ')[0]} ${String(row['name'] ?? row['logical_port'] ?? row['match'] ?? '')}`,
          );
        expect(gone).toHaveLength(
          REPAIR_CASES.flatMap(({ actions }) => actions).filter((it) => it.startsWith('delete-'))
            .length,
        );
        expect(
          gone.filter(
            (row) =>
              !/dr[.-](gone|half)/.test(row) &&
              row !== 'Logical_Router_Policy ip4.dst == 10.78.2.0/24' &&
              row !== 'DHCP_Options ',
          ),
        ).toEqual([]);
        const uuids = new Set(
          [...before.rows.keys()]
            .filter((key) => !after.rows.has(key))
            .map((key) => key.split(' ')[1]!),
        );
        expect(
          [...after.rows]
            .filter(
              ([key, row]) =>
                !before.rows.has(key) ||
                spelled(row, new Set()) !== spelled(before.rows.get(key)!, uuids),
            )
            .map(([key]) => key),
        ).toEqual([]);
      });

      test.each(REPAIR_CASES.map((it) => [`${it.title} (${it.row})`, it] as const))(
        '%s',
        async (_, { finds, others }) => {
          await others?.(bed);
          expect((await audit()).filter((it) => finds.includes(it))).toEqual([]);
        },
      );

      test('nothing is found any more', async () => expect(await audit()).toEqual([]));
    },
  );
});
