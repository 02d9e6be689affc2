import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { operation } from '@ovn-steward/ovsdb';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { EXIT } from './process/exit-codes';
import { steward } from './testing/cli';
import { type EnforcedBed, type Picture, spelled, startEnforcedBed } from './testing/enforced-bed';
import { uninstalled, withoutGuests } from './testing/uninstalled';

const OF_KUBE_OVN = KUBERNETES_KINDS.filter((it) => it.group === 'kubeovn.io');

/**
 * By the tag alone, or as the part of a row that has it: this test knows nothing of the product's
 * ownership.
 */
function ofKubeOvn({ rows }: Picture): ReadonlySet<string> {
  const byUuid = new Map([...rows].map(([key, row]) => [key.split(' ')[1]!, row] as const));
  const own = new Set<string>();
  const tagged = (row: Readonly<Record<string, unknown>>): boolean =>
    JSON.stringify(row['external_ids'] ?? '').includes('["vendor","kube-ovn"]');
  for (const [key, row] of rows) {
    if (!tagged(row)) continue;
    own.add(key.split(' ')[1]!);
    for (const column of [
      'ports',
      'acls',
      'nat',
      'policies',
      'static_routes',
      'health_check',
      'gateway_chassis',
      'ha_chassis',
      'bands',
    ]) {
      for (const uuid of JSON.stringify(row[column] ?? '').match(
        /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
      ) ?? [])
        if (byUuid.has(uuid) && column !== 'ports') own.add(uuid);
    }
  }
  return own;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The two systems, as `--uninstalled` names them. */
async function pairOf({ api, session }: EnforcedBed): Promise<string> {
  const { results } = await session.transact([operation.select('NB_Global', [], ['_uuid'])]);
  const [found] = results;
  const [row] = found?.kind === 'selected' ? found.rows : [];
  const { metadata } = (await api.get('/api/v1/namespaces/kube-system')) as {
    readonly metadata: { readonly uid: string };
  };
  return `nb:${(row!['_uuid'] as string[])[1]}/${metadata.uid}`;
}

describeWith(ovn, 'with a living OVN that Neutron shares', () => {
  describeWith(
    kubernetes,
    'and a living Kubernetes, after a Helm uninstall that left everything terminating',
    () => {
      let bed: EnforcedBed;
      let before: Picture;
      let pair: string;
      let unsaid: Ended;
      let middle: Picture;
      let elsewhere: Ended;
      let freed: Ended;
      let after: Picture;
      beforeAll(async () => {
        bed = await startEnforcedBed(
          'shared-neutron',
          (recording) => {
            withoutGuests(recording);
            uninstalled(
              recording,
              OF_KUBE_OVN.map(({ kind }) => kind),
            );
          },
          { leads: false },
        );
        before = await bed.picture();
        pair = await pairOf(bed);
        const free = ['doctor', ...bed.args, '--free', '--over-ceilings', '--by', 'test'];
        unsaid = await steward(free);
        middle = await bed.picture();
        elsewhere = await steward([
          ...free,
          '--uninstalled',
          pair.replace(/.$/, (it) => (it === '0' ? '1' : '0')),
        ]);
        expect(await bed.picture()).toEqual(middle);
        freed = await steward([...free, '--uninstalled', pair]);
        after = await bed.picture();
      }, 1_800_000);
      afterAll(() => bed?.stop());

      // With the last port that has an address goes what shows that both are one cluster.
      test('while nobody says that it was an uninstall, it frees what can be proven, and says what keeps the rest', () => {
        expect(unsaid.stderr).toBe('');
        // How many of the 91 come before the last port with an address depends on the order: 70 to
        // 73 were seen.
        expect(unsaid.stdout.match(/^ *done /gm)?.length).toBeGreaterThan(50);
        expect(unsaid.stdout).toContain(
          'nothing shows that this Kubernetes is that of the network',
        );
        expect(unsaid.stdout).toContain(`--uninstalled ${pair}`);
        expect(unsaid.code).not.toBe(EXIT.nothingFound);
        const own = ofKubeOvn(before);
        const gone = [...before.rows.keys()].filter((key) => !middle.rows.has(key));
        expect(gone.filter((key) => !own.has(key.split(' ')[1]!))).toEqual([]);
      });

      test('said of another cluster it is refused, and nothing is done', () => {
        expect(elsewhere.stderr).toContain('That Kube-OVN was uninstalled is not believed');
        expect(elsewhere.code).toBe(EXIT.error);
      });

      test('said of this one, one command frees all of it', () => {
        expect(freed.stderr).toBe('');
        expect(freed.stdout).toMatch(/Nothing is stuck\.\n$/);
        expect(freed.code).toBe(EXIT.nothingFound);
      });

      test("no object of Kube-OVN's is left", async () => {
        for (const { resource } of OF_KUBE_OVN) {
          const { items } = (await bed.api
            .get(`/apis/kubeovn.io/v1/${resource}`)
            .catch(() => ({ items: [] }))) as { items: { metadata: { name: string } }[] };
          expect([resource, items.map((it) => it.metadata.name)]).toEqual([resource, []]);
        }
      });

      test("no row of Kube-OVN's is left", () => {
        const own = ofKubeOvn(before);
        const left = [...after.rows]
          .filter(([key]) => own.has(key.split(' ')[1]!))
          .map(
            ([key, row]) =>
              `${key.split(' ')[0]} ${typeof row['match'] === 'string' ? row['match'] : String(row['name'])}`,
          );
        expect(left).toEqual([]);
      });

      test("every row of anybody else's is there, as it was, byte by byte", () => {
        const own = ofKubeOvn(before);
        const others = [...before.rows].filter(([key]) => !own.has(key.split(' ')[1]!));
        expect(others.length).toBeGreaterThan(50);
        const moved = others.filter(
          ([key, row]) =>
            !after.rows.has(key) ||
            spelled(after.rows.get(key)!, new Set()) !== spelled(row, new Set()),
        );
        expect(moved.map(([key, row]) => `${key} ${String(row['name'] ?? '')}`)).toEqual([]);
        expect([...after.rows.keys()].filter((key) => !before.rows.has(key))).toEqual([]);
      });
    },
  );
});
