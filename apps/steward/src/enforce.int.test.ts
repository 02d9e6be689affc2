import { rmSync } from 'node:fs';
import { type ActionRecord, isCarriedOut } from '@ovn-steward/contracts/actions/action';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { EXIT } from './process/exit-codes';
import { steward } from './testing/cli';
import { type EnforcedBed, type Picture, spelled, startEnforcedBed } from './testing/enforced-bed';
import { truthOf } from './testing/truth';

const ROUNDS = 4;
const NAMES = ['leaky', 'shared-neutron', 'clean'] as const;

interface Outcome {
  readonly before: Picture;
  readonly after: Picture;
  readonly stderr: string;
  readonly actions: readonly ActionRecord[];
}

/** What goes with the row that holds it. */
const PARTS = new Set(['ACL', 'Load_Balancer_Health_Check', 'Gateway_Chassis']);

describeWith(ovn, 'with a living OVN', () => {
  describeWith(kubernetes, 'and a living Kubernetes, all that can be planned applied', () => {
    const beds: EnforcedBed[] = [];
    const outcomes = new Map<string, Outcome>();

    beforeAll(async () => {
      for (const name of NAMES) beds.push(await startEnforcedBed(name));
      for (const [index, name] of NAMES.entries()) outcomes.set(name, await enforced(beds[index]!));
    }, 400_000);
    afterAll(async () => {
      for (const it of beds) await it.stop();
    });

    /**
     * Plan after plan, until there is nothing left to plan: what is named by something that goes
     * itself comes in the next.
     */
    const enforced = async (bed: EnforcedBed): Promise<Outcome> => {
      const before = await bed.picture();
      let stderr = '';
      for (let round = 0; round < ROUNDS; round += 1) {
        const planned = await steward(['plan', ...bed.args, '--out', bed.plan]);
        stderr += planned.stderr;
        if (planned.code !== EXIT.findings) break;
        stderr += (await steward(['apply', bed.plan, ...bed.args, '--by', 'test'])).stderr;
        rmSync(bed.plan);
      }
      const listed = await steward(['actions', '--state-dir', bed.stateDir, '--output', 'json']);
      return {
        before,
        after: await bed.picture(),
        stderr,
        actions: listed.stdout === '' ? [] : (JSON.parse(listed.stdout) as ActionRecord[]),
      };
    };

    describe.each(NAMES)('on the recording %s', (name) => {
      let seen: Outcome;
      let done: readonly ActionRecord[];
      let goneRows: readonly string[];
      beforeAll(() => {
        seen = outcomes.get(name)!;
        done = seen.actions.filter(isCarriedOut);
        goneRows = [...seen.before.rows.keys()].filter((key) => !seen.after.rows.has(key));
      });
      const uidOf = (key: string): string => key.split(' ')[1]!;
      const touched = (): string[] =>
        [...seen.before.objects]
          .filter(
            ([uid, object]) =>
              JSON.stringify(object) !== JSON.stringify(seen.after.objects.get(uid)),
          )
          .map(([uid]) => uid);
      const targets = (): Set<string> => new Set(done.map(({ target }) => target.uid));

      test('every claim ended well, and nothing crashed', () => {
        expect(seen.stderr).not.toMatch(/unexpected|\n\s+at /);
        expect(
          seen.actions.filter(({ state }) => ['failed', 'claimed', 'undone'].includes(state)),
        ).toEqual([]);
        expect(done.length).toBeGreaterThanOrEqual(
          { leaky: 35, 'shared-neutron': 0, clean: 0 }[name],
        );
        if (name === 'clean') expect(seen.actions).toEqual([]);
      });

      test('each row that is gone was a target, or a part of one', () => {
        const others = goneRows.filter((key) => !targets().has(uidOf(key)));
        expect(others.filter((key) => !PARTS.has(key.split(' ')[0]!))).toEqual([]);
        expect(
          done.filter(
            ({ target }) =>
              target.source === 'ovn-nb' &&
              target.part === undefined &&
              seen.after.rows.has(`${target.kind} ${target.uid}`),
          ),
        ).toEqual([]);
      });

      test('every other row is as it was, byte by byte, and none is new', () => {
        const gone = new Set(goneRows.map(uidOf));
        const entries = new Set(
          done.filter(({ target }) => target.part !== undefined).map(({ target }) => target.uid),
        );
        const changed = [...seen.after.rows].filter(
          ([key, row]) =>
            !entries.has(uidOf(key)) &&
            (!seen.before.rows.has(key) ||
              spelled(row, gone) !== spelled(seen.before.rows.get(key)!, gone)),
        );
        expect(changed.map(([key]) => key)).toEqual([]);
      });

      test('no object but the targets was touched', () =>
        expect(touched().filter((uid) => !targets().has(uid))).toEqual([]));

      test('undone, every row is back as it was', async () => {
        const bed = beds[NAMES.indexOf(name)]!;
        const rows = done.filter(({ target }) => target.source === 'ovn-nb').map(({ id }) => id);
        if (rows.length > 0)
          expect(
            await steward([
              'undo',
              ...rows.reverse(),
              ...bed.args,
              '--state-dir',
              bed.stateDir,
              '--by',
              'test',
            ]),
          ).toMatchObject({ code: 0, stderr: '' });
        const now = await bed.picture();
        const spell = (picture: Picture): string[] =>
          [...picture.rows].map(([key, row]) => `${key} ${spelled(row, new Set())}`).sort();
        expect(spell(now)).toEqual(spell(seen.before));
      });

      test('what the truth says must be kept is there', () => {
        const kept = truthOf(name).filter(
          (entry) => entry.expect === 'keep' && entry.source !== 'sb',
        );
        expect(
          kept
            .filter(({ source, uuid, uid }) =>
              source === 'nb'
                ? goneRows.some((key) => uidOf(key) === uuid)
                : touched().includes(uid!),
            )
            .map((entry) => entry.name),
        ).toEqual([]);
      });
    });
  });
});
