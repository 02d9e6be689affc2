import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPTIONAL_KINDS } from '@ovn-steward/judgement/kube-ovn/admin-policies';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { observe, RECORDINGS } from './testing/truth';

interface Dump {
  items: { kind: string }[];
}
interface Listed {
  kinds: { kind: string; count: number }[];
}

/** A copy of a recording without one kind, as if nobody had asked for it. */
function without(recording: string, kind: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-without-'));
  for (const file of ['kubernetes.json', 'listed.json'])
    cpSync(join(RECORDINGS, recording, file), join(folder, file));
  const edit = <T>(file: string, change: (it: T) => void): void => {
    const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;
    change(content);
    writeFileSync(join(folder, file), JSON.stringify(content));
  };
  edit<Dump>('kubernetes.json', (dump) => {
    dump.items = dump.items.filter((item) => item.kind !== kind);
  });
  edit<Listed>('listed.json', (listed) => {
    listed.kinds = listed.kinds.filter((item) => item.kind !== kind);
  });
  return folder;
}

const READ = [
  ...new Set(RULES.flatMap((it): string[] => [it.subject, ...it.reads, ...(it.consults ?? [])])),
]
  .filter((it) => kubernetesKind(it))
  .sort();

/**
 * Rules about kinds that these recordings were made without, and a recording may lack: of them
 * nothing is said.
 */
const SILENT = new Set(
  RULES.filter((it) => [it.subject, ...it.reads].some((kind) => OPTIONAL_KINDS.has(kind))).map(
    (it) => it.id,
  ),
);

describe.each(['leaky', 'shared-neutron'])('the recording %s', (recording) => {
  let before = new Set<string>();
  /** With the Southbound, too: rules that need it are withheld only where it was read. */
  const observeWithin = (folder: string) =>
    observe(join(RECORDINGS, recording, 'nb.db'), folder, join(RECORDINGS, recording, 'sb.db'));
  beforeAll(async () => {
    before = new Set(
      (await observeWithin(join(RECORDINGS, recording))).findings().map((it) => it.id),
    );
  });

  test.each([...READ, 'CustomResourceDefinition'])(
    'without %s shows nothing that was not there before, and withholds what needs it',
    async (kind) => {
      const folder = without(recording, kind);
      try {
        const engine = await observeWithin(folder);
        expect(
          engine
            .findings()
            .filter((it) => !before.has(it.id))
            .map((it) => it.summary),
        ).toEqual([]);
        const needing = RULES.filter((it) => [it.subject, ...it.reads].includes(kind as never)).map(
          (it) => it.id,
        );
        expect(
          engine
            .unknowns()
            .filter((it) => it.subject === null)
            .map((it) => it.rule),
        ).toEqual(expect.arrayContaining(needing.filter((it) => !SILENT.has(it))));
        expect(engine.findings().filter((it) => needing.includes(it.rule))).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
