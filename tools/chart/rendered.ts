import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { helmAtHand } from '@ovn-steward/testbed/provision/helm';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../images/repository';

export const CHART = join(ROOT, 'deploy/helm/ovn-steward');

/** What is rendered for where no cluster is asked. */
export const KUBERNETES = '1.34.0';

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext?: object;
  readonly resources?: { readonly limits?: object; readonly requests?: object };
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface PodSpec {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly hostNetwork?: boolean;
  readonly dnsPolicy?: string;
  readonly securityContext: object;
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly [kind: string]: unknown }[];
}

/** An object of the chart, with as much of each kind as tests read. */
export interface ChartObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly object[];
  readonly roleRef?: object;
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Helm of the test bed, with the values on its standard input where `--values -` is among the
 * arguments.
 */
export function helmRuns(args: readonly string[], values: object = {}, env: object = {}): Ran {
  const { status, stdout, stderr } = spawnSync(helmAtHand()!, args, {
    encoding: 'utf8',
    input: JSON.stringify(values),
    maxBuffer: 64 << 20,
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
  });
  return { status, stdout, stderr };
}

export const template = (values: object = {}, namespace = 'ovn-steward'): Ran =>
  helmRuns(
    [
      'template',
      'ovn-steward',
      CHART,
      '--namespace',
      namespace,
      '--kube-version', // Helm built from its modules alone stands for Kubernetes 1.20
      KUBERNETES,
      '--values',
      '-',
    ],
    values,
  );

/** The objects of release ovn-steward with these values. @throws Error with what Helm said. */
export function rendered(values: object = {}, namespace = 'ovn-steward'): readonly ChartObject[] {
  const { status, stdout, stderr } = template(values, namespace);
  if (status !== 0) throw new Error(stderr);
  return objectsIn(stdout);
}

/** The objects of a manifest. @throws Error for YAML with a key twice, or otherwise wrong. */
export function objectsIn(text: string): readonly ChartObject[] {
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS() as ChartObject | null;
    })
    .filter((it): it is ChartObject => it !== null);
}

/** The spec of the pods of each object that has or is any, by the object's name. */
export const podsOf = (objects: readonly ChartObject[]): ReadonlyMap<string, PodSpec> =>
  new Map(
    objects.flatMap(({ kind, metadata, spec }): [string, PodSpec][] =>
      kind === 'Pod'
        ? [[metadata.name, spec as unknown as PodSpec]]
        : ['StatefulSet', 'Deployment'].includes(kind)
          ? [[metadata.name, (spec as { template: { spec: PodSpec } }).template.spec]]
          : [],
    ),
  );

export const only = (objects: readonly ChartObject[], kind: string, name?: string): ChartObject => {
  const found = objects.filter(
    (it) => it.kind === kind && (name === undefined || it.metadata.name === name),
  );
  if (found.length !== 1) throw new Error(`${found.length} objects ${kind} ${name ?? ''}, not one`);
  return found[0]!;
};
