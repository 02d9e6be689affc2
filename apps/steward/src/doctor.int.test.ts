import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { objectsOf } from '../../../e2e/incidents/actor/objects';
import { EXIT } from './process/exit-codes';
import { steward } from './testing/cli';
import { type EnforcedBed, type Picture, spelled, startEnforcedBed } from './testing/enforced-bed';
import { startKubeOvn } from './testing/kube-ovn';
import { lead } from './testing/lead';
import { stuck, STUCK_CASES } from './testing/stuck-cases';

const CRD = '/apis/kubeovn.io/v1';

interface Going {
  readonly metadata: { readonly deletionTimestamp?: string; finalizers?: string[] };
}

/** The object at that path, undefined only where the server says that there is none. */
async function at({ api }: EnforcedBed, path: string): Promise<Going | undefined> {
  try {
    return (await api.get(`${CRD}/${path}`)) as Going;
  } catch (error) {
    if ((error as { readonly status?: number }).status === 404) return undefined;
    throw error;
  }
}

describeWith(ovn, 'with a living OVN', () => {
  describeWith(kubernetes, 'and a living Kubernetes, every cause of a deletion that hangs', () => {
    let bed: EnforcedBed;
    let before: Picture;
    beforeAll(async () => {
      bed = await startEnforcedBed(
        'clean',
        (recording) => {
          STUCK_CASES.forEach(({ plant }) => plant(recording));
          stuck(recording, 'QoSPolicy', 'dr-planned', { spec: { bindingType: 'EIP' } });
        },
        { leads: false },
      );
      before = await bed.picture();
    }, 200_000);
    afterAll(() => bed?.stop());

    test.each(STUCK_CASES.map((it) => [`${it.title} (${it.row})`, it] as const))(
      '%s',
      async (_, { what, output, gone, inHand = [], person, actions, afterwards }) => {
        const kubeOvn = await startKubeOvn(bed.northbound, objectsOf(bed.api), inHand);
        const reported = { api: bed.api, settled: kubeOvn.settle };
        const shows = async (lines: readonly RegExp[]): Promise<void> => {
          const seen = await steward(['doctor', what, ...bed.args]);
          expect(seen).toMatchObject({ code: EXIT.findings, stderr: '' });
          for (const it of lines) expect(seen.stdout).toMatch(it);
        };
        await shows(output);
        await kubeOvn.settle();
        expect(await at(bed, gone.at(-1)!)).toBeDefined(); // by itself it stays

        if (person) await person(reported);
        await kubeOvn.settle();
        // What a controller has to finish is deleted only while one leads; what it will not finish,
        // while none does.
        const isFinished = actions.some((it) => it.startsWith('delete-'));
        const resign = isFinished ? lead(bed.api) : async () => undefined;
        const freed = await kubeOvn
          .during(
            steward(['doctor', what, ...bed.args, '--free', '--by', 'test', '--output', 'json']),
          )
          .finally(resign);
        const said = JSON.parse(freed.stdout) as {
          plans: string[];
          actions: { action: string; state: string; reason: string }[];
        };
        expect(said.plans.length > 0).toBe(actions.length > 0);
        expect(
          said.actions
            .map(
              ({ action, state, reason }) =>
                `${action} ${state === 'done' ? state : `${state}: ${reason}`}`,
            )
            .sort(),
        ).toEqual(actions.map((it) => `${it} done`).sort());

        if (afterwards) {
          await shows(afterwards.output);
          await afterwards.person(reported);
          await kubeOvn.settle();
        }
        for (const path of gone) expect([path, await at(bed, path)]).toEqual([path, undefined]);
      },
    );

    test('a dry run shows the tree and the first round, and does nothing', async () => {
      const shown = await steward(['doctor', 'qos/dr-planned', ...bed.args, '--free', '--dry-run']);
      expect(shown).toMatchObject({ code: EXIT.findings, stderr: '' });
      for (const text of [
        'QoSPolicy dr-planned, terminating',
        'Round 1. Plan ',
        'strip-finalizer QoSPolicy dr-planned: ',
        'Nothing was done.',
      ])
        expect(shown.stdout).toContain(text);
      const { actions, declined } = JSON.parse(
        (
          await steward([
            'doctor',
            'qos/dr-planned',
            ...bed.args,
            '--free',
            '--dry-run',
            '--output',
            'json',
          ])
        ).stdout,
      ) as { actions: unknown[]; declined: { entries: { target: { name: string } }[] } };
      expect([actions, declined.entries.map(({ target }) => target.name)]).toEqual([
        [],
        ['dr-planned'],
      ]);
      expect((await at(bed, 'qos-policies/dr-planned'))?.metadata.finalizers).toHaveLength(1);
    });

    test('a plan of what is named, for somebody else to apply', async () => {
      const planned = await steward([
        'plan',
        '--unstick',
        'qos/dr-planned',
        ...bed.args,
        '--out',
        bed.plan,
        '--output',
        'json',
      ]);
      expect(planned).toMatchObject({
        code: EXIT.findings,
        stderr: expect.stringContaining('all 1 would be done'),
      });
      expect(
        (
          JSON.parse(planned.stdout) as { entries: { action: string; target: { name: string } }[] }
        ).entries.map(({ action, target }) => `${action} ${target.name}`),
      ).toEqual(['strip-finalizer dr-planned']);
      expect(await steward(['apply', bed.plan, ...bed.args, '--by', 'test'])).toMatchObject({
        code: EXIT.nothingFound,
      });
      expect(await at(bed, 'qos-policies/dr-planned')).toBeUndefined();
      expect(await steward(['doctor', 'qos/dr-planned', ...bed.args])).toMatchObject({
        code: EXIT.couldNotKnow,
        stdout: 'There is no QoSPolicy dr-planned: it is gone, or never had that name.\n',
      });
    });

    test('nothing but what was stuck went: every other row is as it was', async () => {
      const after = await bed.picture();
      const planned = new Set(
        [...before.rows]
          .filter(([key]) => !after.rows.has(key))
          .map(([, row]) => String(row['name'])),
      );
      expect([...planned]).toEqual(['VEG.48f9da73981d_ip4']);
      const changed = [...after.rows].filter(
        ([key, row]) =>
          !before.rows.has(key) ||
          spelled(row, new Set()) !== spelled(before.rows.get(key)!, new Set()),
      );
      expect(changed.map(([key]) => key)).toEqual([]);
    });

    test('nothing is stuck any more', async () => {
      expect(await steward(['doctor', ...bed.args])).toMatchObject({
        code: EXIT.nothingFound,
        stdout: 'Nothing is stuck.\n',
        stderr: '',
      });
    });
  });
});
