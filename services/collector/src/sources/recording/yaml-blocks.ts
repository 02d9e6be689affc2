import { Failure } from '@ovn-steward/shared/errors';

export interface YamlItem {
  readonly block: 'item';
  readonly line: number;
  /** The element as a block sequence of one. */
  readonly text: string;
}

export interface YamlDocument {
  readonly block: 'document';
  readonly line: number;
  /** The document without the elements of its top-level `items`. */
  readonly text: string;
  readonly hadItems: boolean;
  /** Whether anything followed the items. */
  readonly closed: boolean;
}

/** Kubernetes objects are at most some 1.5 MiB (etcd's limit). */
const LARGEST_BLOCK = 64 * 1024 * 1024;

async function* linesOf(
  path: string,
  bytes: AsyncIterable<Buffer>,
): AsyncIterable<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      throw new Failure('input-unreadable', `${path} is not valid UTF-8. Record it again.`, {
        cause: error,
      });
    }
  };
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decode(chunk)).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield lines;
  }
  yield [rest + decode()];
}

/** Collects the lines of one document and gives its elements as they end. */
function documentReader(
  path: string,
  firstLine: number,
): {
  take(line: string, number: number): YamlItem | undefined;
  end(): (YamlItem | YamlDocument)[];
} {
  const around: string[] = [];
  let item: string[] | undefined;
  let itemLine = 0;
  let indent: string | undefined;
  let inItems = false;
  let hadItems = false;
  let closed = false;
  let held = 0;

  const keep = (lines: string[], line: string): void => {
    held += line.length + 1; // its line break
    if (held > LARGEST_BLOCK)
      throw new Failure(
        'input-not-a-dump',
        `${path} holds an object larger than ${LARGEST_BLOCK} characters, beginning before line ${firstLine + lines.length}; give the output of kubectl get -o yaml.`,
      );
    lines.push(line);
  };

  function endItem(): YamlItem | undefined {
    if (item === undefined) return undefined;
    const text = item.join('\n');
    item = undefined;
    held -= text.length + 1;
    return { block: 'item', line: itemLine, text };
  }

  /** Block content is always indented deeper than its `- `, so a cut never falls inside a value. */
  function takeInItems(line: string, number: number): YamlItem | undefined {
    const dash = /^( *)-( |$)/.exec(line);
    indent ??= dash?.[1];
    if (dash !== null && dash[1] === indent) {
      const ended = endItem();
      item = [];
      itemLine = number;
      keep(item, line);
      return ended;
    }
    if (line.trim() === '' || line.startsWith('#') || line.startsWith(`${indent ?? ''} `)) {
      if (item !== undefined) keep(item, line);
      return undefined;
    }
    inItems = false;
    closed = true;
    keep(around, line);
    return endItem();
  }

  return {
    take(line, number) {
      if (inItems) return takeInItems(line, number);
      keep(around, line);
      if (/^items:\s*$/.test(line)) inItems = hadItems = true;
      return undefined;
    },
    end() {
      const last = endItem();
      const text = around.join('\n');
      return [
        ...(last === undefined ? [] : [last]),
        { block: 'document', line: firstLine, text, hadItems, closed },
      ];
    },
  };
}

/**
 * Cuts YAML into documents, and these at the elements of their top-level `items`, line by line, so
 * that memory holds one chunk and one object. Only indentation is checked; the YAML parser judges
 * the rest.
 *
 * @throws Failure `input-unreadable` (not UTF-8), `input-not-a-dump` (an object beyond all
 *   measure).
 */
export async function* yamlBlocks(
  path: string,
  bytes: AsyncIterable<Buffer>,
): AsyncIterable<readonly (YamlItem | YamlDocument)[]> {
  let number = 0;
  let reader = documentReader(path, 1);
  for await (const lines of linesOf(path, bytes)) {
    const blocks: (YamlItem | YamlDocument)[] = [];
    for (const line of lines) {
      number++;
      if (/^(---|\.\.\.)(\s|$)/.test(line)) {
        blocks.push(...reader.end());
        reader = documentReader(path, number + 1);
        if (line.startsWith('--- ')) reader.take(line.slice(4), number);
      } else {
        const item = line.startsWith('%') ? undefined : reader.take(line, number);
        if (item !== undefined) blocks.push(item);
      }
    }
    if (blocks.length > 0) yield blocks;
  }
  yield reader.end();
}
