import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { parse, parseAllDocuments } from 'yaml';

const CHART = join(__dirname, '../../../../examples/helm/network-and-pods');
const HELM = process.env['STEWARD_TEST_HELM'];
const HOOK = 'helm.sh/hook';
const WEIGHT = 'helm.sh/hook-weight';

/** An object of the chart. */
export type Template = KubernetesObject & {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly metadata: object; readonly spec: object };
  };
};

export interface Chart {
  readonly release: readonly Template[];
  /** In the order in which Helm makes them. */
  readonly hooks: readonly Template[];
}

/**
 * The chart's objects as release `demo` in namespace `default`. The templates use nothing of Helm
 * but values, which Helm puts in where there is one.
 * @param set values in the place of the chart's, as `--set` takes them: `wait.timeout`.
 */
export function renderedChart(set: Readonly<Record<string, string>> = {}): Chart {
  const text =
    HELM === undefined
      ? byHand(set)
      : execFileSync(
          HELM,
          [
            'template',
            'demo',
            CHART,
            ...Object.entries(set).flatMap(([path, value]) => ['--set', `${path}=${value}`]),
          ],
          { encoding: 'utf8' },
        );
  if (/\{\{|undefined/.test(text))
    throw new Error(
      `the chart asks for a value that it does not have, or for more of Helm than values: ${text}`,
    );
  const objects = parseAllDocuments(text)
    .map((it) => it.toJS() as Template | null)
    .filter((it): it is Template => it !== null);
  const weightOf = (it: Template): number => Number(it.metadata.annotations?.[WEIGHT] ?? 0);
  const isHook = (it: Template): boolean => it.metadata.annotations?.[HOOK] !== undefined;
  return {
    release: objects.filter((it) => !isHook(it)),
    hooks: objects.filter(isHook).sort((a, b) => weightOf(a) - weightOf(b)),
  };
}

function byHand(set: Readonly<Record<string, string>>): string {
  const known = {
    Values: parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as unknown,
    Release: { Name: 'demo', Namespace: 'default' },
  };
  const valueAt = (path: string): string =>
    set[path.replace(/^Values\./, '')] ??
    String(
      path.split('.').reduce((it: unknown, key) => (it as Record<string, unknown>)[key], known),
    );
  return readdirSync(join(CHART, 'templates'))
    .map((file) =>
      readFileSync(join(CHART, 'templates', file), 'utf8').replace(
        /\{\{ \.([\w.]+) \}\}/g,
        (_, path: string) => valueAt(path),
      ),
    )
    .join('\n---\n');
}
