import { Failure } from '@ovn-steward/shared/errors';
import { parseKubernetesJson } from '@ovn-steward/systems/projections/parse-kubernetes-json';
import type { DumpEntry } from './entry';
import { listHead, type ListHead, typeOf } from './list-head';
import { ListCutter, type ListCut } from './list-cutter';

type Bytes = () => AsyncIterable<Buffer>;

function parseHead(path: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Failure(
      'input-unreadable',
      `${path} is not valid JSON around the items of its list. Record it again.`,
    );
  }
}

/** The heads of all lists of a file: needed when a list says only after its items what they are. */
async function headsOf(path: string, bytes: Bytes): Promise<ListHead[]> {
  const heads: ListHead[] = [];
  const cutter = new ListCutter(path);
  let inList = false;
  for await (const chunk of bytes()) {
    for (const cut of cutter.push(chunk)) {
      if (cut.cut === 'items') inList = true;
      if (cut.cut !== 'value') continue;
      if (inList) heads.push(listHead(parseHead(path, cut.json)));
      inList = false;
    }
  }
  return heads;
}

/**
 * The entries of a JSON file: lists, objects one after the other, or a mixture. `bytes` opens the
 * file again each time.
 * @throws Failure `input-unreadable`, `input-truncated`, `input-not-a-dump`.
 */
export async function* jsonEntries(
  path: string,
  bytes: Bytes,
): AsyncIterable<readonly DumpEntry[]> {
  const cutter = new ListCutter(path);
  let heads: ListHead[] | undefined;
  let head: ListHead | undefined;
  let list = 0;
  let value = 0;
  let item = 0;

  async function entryOf(cut: ListCut): Promise<DumpEntry | undefined> {
    if (cut.cut === 'items') {
      head = listHead(parseHead(path, cut.head));
      item = 0;
      return undefined;
    }
    if (cut.cut === 'item')
      return objectEntry(`${list > 0 ? `list ${list + 1}, ` : ''}.items[${item++}]`, cut.json);
    const inList = head !== undefined;
    value++;
    if (!inList) return objectEntry(`object ${value}`, cut.json);
    head = undefined;
    list++;
    return { entry: 'list', head: listHead(parseHead(path, cut.json)) };
  }

  async function objectEntry(where: string, json: string): Promise<DumpEntry> {
    let raw: unknown;
    try {
      raw = parseKubernetesJson(json);
    } catch {
      // The parser's message quotes what it read, which may be a secret.
      return { entry: 'broken', where, text: json, why: 'it is not valid JSON' };
    }
    const own = typeOf(raw, head);
    if (own.kind !== undefined || head === undefined)
      return { entry: 'object', where, inList: head !== undefined, raw, ...own };
    heads ??= await headsOf(path, bytes);
    return { entry: 'object', where, inList: head !== undefined, raw, ...typeOf(raw, heads[list]) };
  }

  for await (const chunk of bytes()) {
    const entries: DumpEntry[] = [];
    for (const cut of cutter.push(chunk)) {
      const entry = await entryOf(cut);
      if (entry !== undefined) entries.push(entry);
    }
    if (entries.length > 0) yield entries;
  }
  cutter.end();
}
