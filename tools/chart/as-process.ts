import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, textOf } from '../images/repository';
import { type ChartObject, type Container, only, type PodSpec } from './rendered';

/** A container as somebody would start it without an engine. */
export interface AsProcess {
  /** What follows `node`: the program of the image, and the arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file of settings that the container has mounted, here. */
  readonly settings: string;
}

/** What the images set (deploy/docker/Dockerfile), which the container's environment replaces. */
const OF_IMAGE = Object.fromEntries(
  [...textOf('deploy/docker/Dockerfile').matchAll(/(STEWARD_[A-Z_]+)=(\S+)/g)].map((it) => [
    it[1]!,
    it[2]!,
  ]),
);

const programOf = ({ image }: Container): string => {
  const program = /([a-z]+):[^/]*$/.exec(image)![1]!;
  return program === 'steward'
    ? join(ROOT, 'apps/steward/bin/steward.cjs')
    : join(ROOT, 'services', program, 'dist/main.js');
};

/** The container of a pod with its settings in a file of a fresh folder, and that in the place of the mounted one. */
export function asProcess(
  objects: readonly ChartObject[],
  pod: PodSpec,
  container: Container,
): AsProcess {
  const env = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
  const mounted = pod.volumes.find(({ name }) => name === 'settings') as unknown as {
    configMap: { name: string };
  };
  const { data } = only(objects, 'ConfigMap', mounted.configMap.name);
  const file = env['STEWARD_CONFIG']!.replace('/etc/ovn-steward/settings/', '');
  const settings = join(mkdtempSync(join(tmpdir(), 'steward-chart-')), file);
  writeFileSync(settings, data![file]!);
  return {
    argv: [programOf(container), ...(container.args ?? [])],
    env: { ...OF_IMAGE, ...env, STEWARD_CONFIG: settings },
    settings,
  };
}
