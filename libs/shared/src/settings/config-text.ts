import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { type Document, isAlias, LineCounter, parseDocument, visit } from 'yaml';

/**
 * Bytes of a configuration file. A long list of rules and protected names takes some ten thousand.
 */
export const MOST_CONFIG_BYTES = 1 << 20;

/**
 * How many nodes aliases (`*name`) may stand for, all together: a few lines of nested ones would be
 * thousands of millions.
 */
const MOST_ALIASED = 100;

/**
 * The text of a configuration file, read no further than it may be long: also where it is a pipe or
 * a device that never ends.
 * @returns undefined when there is more.
 * @throws the system's error, and an error for bytes that are no UTF-8: a password in another
 *   encoding would silently be another.
 */
export function readConfigText(file: string): string | undefined {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(MOST_CONFIG_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(handle, bytes, length, bytes.length - length, null);
    if (length > MOST_CONFIG_BYTES) return undefined;
    const text = bytes.subarray(0, length);
    if (!isUtf8(text)) throw new Error('it is not valid UTF-8; save it in that encoding');
    return text.toString('utf8');
  } finally {
    closeSync(handle);
  }
}

interface Unreadable {
  readonly wrong: string;
  readonly line?: number;
}

/** Where the first alias without an anchor before it begins; undefined when each has one. */
function danglingAlias(document: Document): number | undefined {
  const anchors = new Set<string>();
  let offset: number | undefined;
  visit(document, {
    Node(_key, node) {
      if (isAlias(node) && !anchors.has(node.source)) {
        offset = node.range?.[0];
        return visit.BREAK;
      }
      if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor);
      return undefined;
    },
  });
  return offset;
}

/** Where the first alias begins that stands inside what it stands for; undefined without one. */
function endlessAlias(document: Document): number | undefined {
  const anchors = new Map<string, unknown>();
  let offset: number | undefined;
  visit(document, {
    Node(_key, node, path) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return undefined;
      }
      const target = anchors.get(node.source);
      if (!path.some((it) => it === target)) return undefined;
      offset = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** Why a document without errors has no content. */
function aliasProblem(document: Document, lines: LineCounter): Unreadable {
  const dangling = danglingAlias(document);
  if (dangling === undefined)
    return { wrong: `its aliases stand for more than ${MOST_ALIASED} nodes: write them out` };
  return {
    wrong:
      'a value that begins with * is an alias, and no anchor of that name stands before it: quote a text that begins with *',
    line: lines.linePos(dangling).line,
  };
}

/** What a YAML or JSON text says, or why it says nothing; quotes none of it. */
export function yamlOf(text: string): { readonly content: unknown } | Unreadable {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  if (error) {
    const line = error.linePos?.[0].line;
    return {
      wrong: error.code.toLowerCase().replaceAll('_', ' '),
      ...(line === undefined ? {} : { line }),
    };
  }
  const endless = endlessAlias(document);
  if (endless !== undefined)
    return {
      wrong: 'an alias stands inside what it stands for, which has no end: write the value out',
      line: lineCounter.linePos(endless).line,
    };
  try {
    return { content: document.toJS({ maxAliasCount: MOST_ALIASED }) };
  } catch {
    return aliasProblem(document, lineCounter);
  }
}
