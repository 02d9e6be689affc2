import { Failure } from '@ovn-steward/shared/errors';
import { YAMLParseError, parse } from 'yaml';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import type { DumpEntry } from './entry';
import { listHead, typeOf } from './list-head';
import { yamlBlocks, type YamlDocument } from './yaml-blocks';

/** Integers beyond 2^53 become digits, as in JSON (see parseKubernetesJson). */
const digits = (_key: unknown, value: unknown): unknown =>
  typeof value !== 'bigint'
    ? value
    : Number.isSafeInteger(Number(value))
      ? Number(value)
      : String(value);

/** Kubernetes objects have no aliases; refusing them leaves nothing to blow up. */
const OPTIONS = { maxAliasCount: 0, prettyErrors: false, logLevel: 'error' } as const;

const parseYaml = (text: string): unknown =>
  /\d{16}/.test(text)
    ? parse(text, digits, { ...OPTIONS, intAsBigInt: true })
    : parse(text, OPTIONS);

/** The parser's message quotes what it read, which may be a secret; its code does not. */
const whyOf = (error: unknown): string =>
  `it is not valid YAML${error instanceof YAMLParseError ? ` (${error.code})` : ''}`;

function itemEntry(line: number, text: string): DumpEntry {
  const where = `line ${line}`;
  try {
    const [raw] = parseYaml(text) as [unknown];
    return { entry: 'object', where, inList: true, raw, ...typeOf(raw, undefined) };
  } catch (error) {
    return { entry: 'broken', where, text, why: whyOf(error) };
  }
}

/** What a document is once its items are out: a list's head, or a whole object. */
function documentEntries(path: string, document: YamlDocument): DumpEntry[] {
  const where = `line ${document.line}`;
  let raw: unknown;
  try {
    raw = parseYaml(document.text);
  } catch (error) {
    return [{ entry: 'broken', where, text: document.text, why: whyOf(error) }];
  }
  if (raw === null) return [];
  if (!isRecord(raw) || (!document.hadItems && raw['items'] === undefined))
    return [{ entry: 'object', where, inList: false, raw, ...typeOf(raw, undefined) }];
  const head = listHead(raw);
  const inline: unknown[] = Array.isArray(raw['items']) ? raw['items'] : [];
  if (raw['kind'] === undefined)
    throw new Failure(
      'input-truncated',
      `${path} ends inside the list that begins at line ${document.line}: its kind, which kubectl writes last, is missing. Record it again.`,
    );
  const partial =
    document.hadItems && !document.closed
      ? { partial: 'nothing follows its items, so it is not known whether the file was cut off' }
      : {};
  return [
    ...inline.map((item): DumpEntry => ({
      entry: 'object',
      where,
      inList: true,
      raw: item,
      ...typeOf(item, head),
    })),
    { entry: 'list', head: { ...partial, ...head } },
  ];
}

/**
 * The entries of a YAML file: kubectl's List, several documents, or both. Items in block style must
 * say their kind themselves, as kubectl writes them.
 *
 * @throws Failure `input-truncated`, `input-unreadable`, `input-not-a-dump`.
 */
export async function* yamlEntries(
  path: string,
  bytes: AsyncIterable<Buffer>,
): AsyncIterable<readonly DumpEntry[]> {
  for await (const blocks of yamlBlocks(path, bytes)) {
    yield blocks.flatMap((it) =>
      it.block === 'item' ? itemEntry(it.line, it.text) : documentEntries(path, it),
    );
  }
}
