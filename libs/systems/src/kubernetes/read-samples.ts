import type { KubeClient } from './kube-client';
import { KubeFailure } from './kube-failure';
import { createLineSplitter } from './lines';
import type { Sample } from './kubernetes';

/**
 * The series of these metrics out of the many megabytes an API server may write (Prometheus text
 * format 0.0.4); the rest is passed over as it comes.
 */
export async function readSamples<M extends string>(
  client: KubeClient,
  metrics: readonly M[],
  signal: AbortSignal,
): Promise<Readonly<Record<M, readonly Sample[]>>> {
  const lines = createLineSplitter();
  const samples = Object.fromEntries(metrics.map((it) => [it, [] as Sample[]])) as Record<
    M,
    Sample[]
  >;
  for await (const chunk of (await client.get('/metrics', signal)).bytes) {
    const complete = lines.push(chunk);
    if (!complete)
      throw new KubeFailure(
        'source-broken',
        `${client.server} answered GET /metrics with something that is no text. Check that the server address leads to a Kubernetes API server.`,
      );
    for (const line of complete) {
      const metric = metrics.find(
        (it) => line.startsWith(it) && '{ '.includes(line.charAt(it.length)),
      );
      if (metric !== undefined) samples[metric].push(sampleOf(line));
    }
  }
  return samples;
}

function sampleOf(line: string): Sample {
  const end = line.lastIndexOf('}') + 1;
  const labels = [
    ...line.slice(0, end).matchAll(/([A-Za-z_][A-Za-z0-9_]*)="((?:[^"\\]|\\.)*)"/g),
  ].map(([, name, value]) => [name, value]);
  const [, value] = line.slice(end === 0 ? 0 : end - 1).split(' ');
  return { labels: Object.fromEntries(labels) as Record<string, string>, value: Number(value) };
}
