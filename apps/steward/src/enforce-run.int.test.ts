import { type ActionRecord, isCarriedOut } from '@ovn-steward/contracts/actions/action';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { objectsOf } from '../../../e2e/incidents/actor/objects';
import { EXIT } from './process/exit-codes';
import { steward } from './testing/cli';
import { type EnforcedBed, type Picture, spelled, startEnforcedBed } from './testing/enforced-bed';
import { startKubeOvn } from './testing/kube-ovn';
import { stir } from './testing/stir';
import { type TruthEntry, truthOf } from './testing/truth';
import { untilNothingMoves } from './testing/until-nothing-moves';

const NAMES = ['leaky', 'shared-neutron'] as const;

/**
 * Planted faults that nobody removes without a person: nothing on a NAT of Kube-OVN's says whose it
 * is, and the others are no garbage but lag behind what is wanted.
 */
const FOR_A_PERSON: readonly (string | undefined)[] = [
  'orphan-nat',
  'stale-sg-key',
  'stale-membership',
];

interface Outcome {
  readonly before: Picture;
  readonly after: Picture;
  readonly code: number | null;
  readonly output: string;
  /** Uids of objects that were written and put back. */
  readonly stirred: ReadonlySet<string>;
  readonly actions: readonly ActionRecord[];
}

interface Seen {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
  };
  readonly spec?: { readonly subnet?: string; readonly cidrBlock?: string };
  readonly status?: Readonly<Record<string, unknown>>;
}

/** What is planted in a recording and goes without a person. */
interface Planted {
  readonly rows: readonly TruthEntry[];
  /** Of rows that stay. */
  readonly entries: readonly TruthEntry[];
  readonly objects: readonly TruthEntry[];
}

/**
 * A NAT rule still leads to its address, so that it is reported and kept (`leaked-ip`), with its
 * port.
 */
const LED_TO = 'web-7cqfnxmv6b-4vd48.tenant-a';

function plantedIn(name: string): Planted {
  const planted = truthOf(name).filter(
    (it) => it.expect === 'finding' && !FOR_A_PERSON.includes(it.symptom) && it.name !== LED_TO,
  );
  const rows = new Map(
    planted.filter((it) => it.source === 'nb' && it.vip === undefined).map((it) => [it.uuid, it]),
  ); // some for two reasons
  return {
    rows: [...rows.values()],
    entries: planted.filter((it) => it.vip !== undefined),
    objects: planted.filter((it) => it.source === 'kubernetes'),
  };
}

const uidOf = (key: string): string => key.split(' ')[1]!;

/** A load balancer's row without that entry. */
function withoutVip(
  row: Readonly<Record<string, unknown>>,
  vip: string,
): Readonly<Record<string, unknown>> {
  const [tag, vips] = row['vips'] as ['map', [string, string][]];
  if (!vips.some(([key]) => key === vip)) throw new Error(`no ${vip} to take away`);
  return { ...row, vips: [tag, vips.filter(([key]) => key !== vip)] };
}

/** A Subnet without what Kube-OVN writes when it counts again (kube-ovn.md §6.5). */
function uncounted({ status = {}, ...object }: Seen): Seen {
  const { v4usingIPs, v4availableIPs, ...rest } = status;
  return { ...object, status: rest };
}

/**
 * The API server counts the writes of some kinds, of an EndpointSlice's labels too, though each was
 * put back.
 */
const unversioned = ({
  metadata: { resourceVersion, generation, ...metadata },
  ...object
}: Seen): object => ({
  ...object,
  metadata,
});

async function enforced(bed: EnforcedBed, { objects: planted }: Planted): Promise<Outcome> {
  const before = await bed.picture();
  const objects = objectsOf(bed.api);
  const kubeOvn = await startKubeOvn(bed.northbound, objects);
  const ran = await kubeOvn.during(
    untilNothingMoves(bed, () =>
      stir(objects, ({ metadata }) => !planted.some(({ uid }) => uid === metadata.uid)),
    ),
  );
  const listed = await steward(['actions', '--state-dir', bed.stateDir, '--output', 'json']);
  return {
    ...ran,
    before,
    after: await bed.picture(),
    actions: JSON.parse(listed.stdout) as ActionRecord[],
  };
}

/** Every row but those, as if they had never been there. */
const rowsWithout = (rows: Picture['rows'], gone: ReadonlySet<string>): string[] =>
  [...rows]
    .filter(([key]) => !gone.has(uidOf(key)))
    .map(([key, row]) => `${key} ${spelled(row, gone)}`)
    .sort();

describeWith(ovn, 'with a living OVN', () => {
  describeWith(
    kubernetes,
    "and a living Kubernetes with Kube-OVN's part played, `steward run` in mode enforce until nothing moves",
    () => {
      const beds: EnforcedBed[] = [];
      const outcomes = new Map<string, Outcome>();
      beforeAll(async () => {
        for (const name of NAMES) beds.push(await startEnforcedBed(name));
        await Promise.all(
          NAMES.map(async (name, index) =>
            outcomes.set(name, await enforced(beds[index]!, plantedIn(name))),
          ),
        );
      }, 400_000);
      afterAll(async () => {
        for (const it of beds) await it.stop();
      });

      describe.each(NAMES)('on the recording %s', (name) => {
        const { rows, entries, objects } = plantedIn(name);
        let seen: Outcome;
        beforeAll(() => {
          seen = outcomes.get(name)!;
        });

        test('it ran to its end, and no claim was left or failed', () => {
          expect(seen.code).toBe(EXIT.findings);
          expect(seen.output).not.toMatch(/unexpected|\n\s+at /);
          expect(
            seen.actions.filter(({ state }) => ['failed', 'claimed', 'undone'].includes(state)),
          ).toEqual([]);
        });

        test('it did each thing that is planted and can be proven, once, and nothing else', () => {
          const done = seen.actions
            .filter(isCarriedOut)
            .map(
              ({ target }) =>
                `${target.uid}${target.part === undefined ? '' : ` ${target.part.key}`}`,
            );
          // A port goes with its IP object, an ACL with its port group.
          const own = rows.filter(({ table }) => !['Logical_Switch_Port', 'ACL'].includes(table!));
          expect(done.sort()).toEqual(
            [
              ...own.map(({ uuid }) => uuid),
              ...objects.map(({ uid }) => uid),
              ...entries.map(({ uuid, vip }) => `${uuid} ${vip}`),
            ].sort(),
          );
        });

        test('the rows that are gone are those', () => {
          const gone = [...seen.before.rows.keys()].filter((key) => !seen.after.rows.has(key));
          expect(gone.sort()).toEqual(rows.map(({ table, uuid }) => `${table} ${uuid}`).sort());
        });

        test('every other row is as it was, byte by byte, but for the entries that are gone', () => {
          const gone = new Set(rows.map(({ uuid }) => uuid!));
          const before = new Map(seen.before.rows);
          for (const { table, uuid, vip } of entries)
            before.set(`${table} ${uuid}`, withoutVip(before.get(`${table} ${uuid}`)!, vip!));
          expect(rowsWithout(seen.after.rows, new Set())).toEqual(rowsWithout(before, gone));
        });

        test('the objects that are gone are those, and every other is as it was but for the counts of their subnets', () => {
          const gone = new Set(objects.map(({ uid }) => uid!));
          expect(
            [...seen.before.objects.keys()].filter((uid) => !seen.after.objects.has(uid)).sort(),
          ).toEqual([...gone].sort());
          const recounted = new Set(
            [...gone].map((uid) => (seen.before.objects.get(uid) as Seen).spec!.subnet),
          );
          const isRecounted = ({ metadata, spec }: Seen): boolean =>
            spec?.cidrBlock !== undefined && recounted.has(metadata.name);
          const spell = (picture: Picture): string[] =>
            [...picture.objects]
              .filter(([uid]) => !gone.has(uid))
              .map(([uid, object]) =>
                JSON.stringify(
                  isRecounted(object as Seen)
                    ? unversioned(uncounted(object as Seen))
                    : seen.stirred.has(uid)
                      ? unversioned(object as Seen)
                      : object,
                ),
              )
              .sort();
          expect(spell(seen.after)).toEqual(spell(seen.before));
        });
      });
    },
  );
});
