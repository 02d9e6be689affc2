import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { EXIT } from './exit-codes';
import { steward } from './testing/cli';
import { type EnforcedBed, type Picture, spelled, startEnforcedBed } from './testing/enforced-bed';
import { uninstalled, withoutGuests } from './testing/uninstalled';

const OF_KUBE_OVN = KUBERNETES_KINDS.filter((it) => it.group === 'kubeovn.io');

/** By the tag alone, or as the part of a row that has it: this test knows nothing of the product's ownership. */
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

describeWith(ovn, 'with a living OVN that Neutron shares', () => {
  describeWith(
    kubernetes,
    'and a living Kubernetes, after a Helm uninstall that left everything terminating',
    () => {
      let bed: EnforcedBed;
      let before: Picture;
      let freed: { readonly code: number | null; readonly stdout: string; readonly stderr: string };
      let after: Picture;
      beforeAll(async () => {
        bed = await startEnforcedBed(
          'shared-neutron',
          (it) => {
            withoutGuests(it);
            uninstalled(
              it,
              OF_KUBE_OVN.map(({ kind }) => kind),
            );
          },
          { leads: false },
        );
        before = await bed.picture();
        freed = await steward(['doctor', ...bed.args, '--free', '--over-ceilings', '--by', 'test']);
        after = await bed.picture();
      }, 600_000);
      afterAll(() => bed?.stop(), 60_000);

      // With the last port that has an address goes what shows that both are one cluster.
      test('one command frees what can be proven, and says what keeps the rest', () => {
        expect(freed.stderr).toBe('');
        expect(freed.stdout.match(/^ *done /gm)?.length).toBeGreaterThan(70);
        expect(freed.stdout).toContain('nothing shows that this Kubernetes is that of the network');
        expect(freed.code).not.toBe(EXIT.nothingFound);
      });

      test("what is gone from the database was Kube-OVN's", () => {
        const own = ofKubeOvn(before);
        const gone = [...before.rows.keys()].filter((key) => !after.rows.has(key));
        expect(gone.length).toBeGreaterThan(70);
        expect(gone.filter((key) => !own.has(key.split(' ')[1]!))).toEqual([]);
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
