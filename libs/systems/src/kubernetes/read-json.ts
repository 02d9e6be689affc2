import { isUtf8 } from 'node:buffer';
import { parseKubernetesJson } from '../projections/parse-kubernetes-json';
import { KubeFailure } from './kube-failure';
import type { KubeClient } from './kube-client';

/**
 * An answer is not read beyond this by default; strings in V8 end at 512 MiB, and a page is held
 * more than once while it is parsed.
 */
export const LARGEST_ANSWER = 128 * 1024 * 1024;

/** The answer was longer than we want to hold; request less at once. */
export const TOO_LARGE = Symbol('too large');

/**
 * GET of a path whose answer is one JSON document. Fails as `source-broken` when it is something
 * else.
 */
export async function readJson(
  client: KubeClient,
  path: string,
  signal: AbortSignal,
  largest: number = LARGEST_ANSWER,
): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await client.get(path, signal)).bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largest) return TOO_LARGE;
  }
  try {
    const bytes = Buffer.concat(chunks, size);
    // Decoded all the same, a name or uid would silently be another.
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
    return parseKubernetesJson(bytes.toString('utf8'));
  } catch {
    throw new KubeFailure(
      'source-broken',
      `${client.server} answered GET ${path.split('?')[0]} with something that is not JSON in UTF-8. Check that the server address leads to a Kubernetes API server.`,
    );
  }
}
