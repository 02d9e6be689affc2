import { stringify } from 'yaml';
import { Failure } from '@ovn-steward/shared/errors';
import type { DumpEntry } from './entry';
import { podOf } from './testing/recording-fixture';
import { yamlEntries } from './yaml-entries';

async function entriesOf(text: string, size = 1 << 20): Promise<DumpEntry[]> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncIterable<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const all: DumpEntry[] = [];
  for await (const batch of yamlEntries('dump.yaml', chunks())) all.push(...batch);
  return all;
}

const rawOf = (entries: DumpEntry[]): unknown[] =>
  entries.flatMap((it) => (it.entry === 'object' ? [it.raw] : []));

const pods = [
  podOf('a', { spec: { report: 'line\n- not an item\nitems:\n', empty: '' } }),
  podOf('b', { status: { podIPs: [{ ip: '10.0.0.1' }] } }),
];
/** As kubectl writes it: `- ` at the column of `items`, the kind after it. */
const kubectl = `apiVersion: v1\n${stringify({ items: pods }, { indentSeq: false })}kind: List\nmetadata:\n  resourceVersion: "7"\n`;

describe('yamlEntries', () => {
  it.each([
    kubectl,
    kubectl.replaceAll('\n', '\r\n'),
    `---\n${kubectl}...\n`,
    `# a dump\n${kubectl}`,
  ])('cuts a list of kubectl into its items (%#)', async (text) => {
    const entries = await entriesOf(text);
    expect(rawOf(entries)).toEqual(pods);
    expect(entries.at(-1)).toEqual({ entry: 'list', head: { resourceVersion: '7' } });
  });

  it('cuts the same wherever the chunks end', async () => {
    const whole = await entriesOf(kubectl);
    for (const size of [1, 2, 7, 64]) expect(await entriesOf(kubectl, size)).toEqual(whole);
  });

  it('takes indented items, items in one line, and none', async () => {
    expect(rawOf(await entriesOf(`${stringify({ items: pods })}kind: List\n`))).toEqual(pods);
    expect(rawOf(await entriesOf('kind: List\nitems: [{kind: Pod}]\n'))).toEqual([{ kind: 'Pod' }]);
    expect(await entriesOf('kind: List\nitems: []\n')).toEqual([
      { entry: 'list', head: { resourceVersion: '' } },
    ]);
  });

  it('takes several documents, empty ones too', async () => {
    const text = `---\n${pods.map((it) => stringify(it)).join('---\n')}---\n# nothing\n---\n${kubectl}`;
    expect(rawOf(await entriesOf(text))).toEqual([...pods, ...pods]);
  });

  it('holds a broken object against itself only', async () => {
    const entries = await entriesOf(kubectl.replace('name: a', 'name: [a'));
    expect(entries.map((it) => it.entry)).toEqual(['broken', 'object', 'list']);
    expect(entries[0]).toMatchObject({
      where: 'line 3',
      text: expect.stringContaining('kind: Pod'),
    });
  });

  it('refuses aliases and reports two keys of one name', async () => {
    expect((await entriesOf('a: &x [1]\nb: *x\n'))[0]?.entry).toBe('broken');
    expect((await entriesOf('kind: Pod\nkind: Vpc\n'))[0]?.entry).toBe('broken');
  });

  it('keeps integers beyond 2^53 as digits, and hostile keys as plain entries', async () => {
    const [raw] = rawOf(
      await entriesOf(
        'kind: Subnet\nn: 18446744073709551614\nm: 5\nl:\n  __proto__: x\n  constructor: y\n',
      ),
    ) as [{ l: object }];
    expect(raw).toMatchObject({ n: '18446744073709551614', m: 5 });
    expect(Object.keys(raw.l)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(raw.l)).toBe(Object.prototype);
  });

  it('reports a list that was cut off: the kind is missing, or nothing follows the items', async () => {
    const cut = kubectl.slice(0, kubectl.indexOf('kind: List'));
    await expect(entriesOf(cut)).rejects.toMatchObject({ code: 'input-truncated' });
    const last = (await entriesOf(`kind: List\n${cut}`)).at(-1);
    expect(last).toMatchObject({
      entry: 'list',
      head: { partial: expect.stringContaining('cut off') },
    });
  });

  it('refuses what is not UTF-8', async () => {
    async function* bytes(): AsyncIterable<Buffer> {
      yield Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]);
    }
    await expect(async () => {
      for await (const _ of yamlEntries('dump.yaml', bytes()));
    }).rejects.toBeInstanceOf(Failure);
  });
});
