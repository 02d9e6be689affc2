import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from './command';
import {
  hasDebianTools,
  unpackDebianPackages,
  unpackedPackages,
  type UnpackedPackages,
} from './debian';
import type { Progress } from './progress';

const PROGRAMS = [
  'ovsdb-server',
  'ovsdb-tool',
  'ovsdb-client',
  'ovs-appctl',
  'ovn-northd',
  'ovn-nbctl',
  'ovn-sbctl',
] as const;

export type OvnProgram = (typeof PROGRAMS)[number];

/** OVN's programs and schemas as found on this machine. */
export interface OvnPrograms {
  readonly paths: Readonly<Record<OvnProgram, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly schemas: { readonly nb: string; readonly sb: string };
}

/**
 * OVN as it is already here. Asks no network. An installed one counts only where packages cannot be
 * fetched: its version is anybody's guess.
 */
export function ovnAtHand(): OvnPrograms | undefined {
  const unpacked = unpackedPackages('ovn-central');
  if (unpacked !== undefined) return fromPackages(unpacked);
  return hasDebianTools() ? undefined : installed();
}

/** Why OVN could not be provisioned here, before trying; undefined when it can be tried. */
export const ovnObstacle = (): string | undefined =>
  hasDebianTools() || installed() !== undefined
    ? undefined
    : 'OVN needs apt-get, apt-cache and dpkg-deb to be fetched (Debian, Ubuntu), or its programs installed';

/**
 * OVN's programs: those at hand, else from the distribution's packages (Debian 12: OVN 23.03.1, OVS
 * 3.1; about 9 MB, seconds).
 */
export async function provisionOvn(progress: Progress): Promise<OvnPrograms> {
  const atHand = ovnAtHand();
  if (atHand !== undefined) return atHand;
  const obstacle = ovnObstacle();
  if (obstacle !== undefined) throw new Error(obstacle);
  return fromPackages(
    await unpackDebianPackages(['ovn-central', 'ovn-common', 'openvswitch-common'], progress),
  );
}

function fromPackages({ root, env }: UnpackedPackages): OvnPrograms {
  const find = (name: string): string => {
    const file = ['usr/bin', 'usr/sbin']
      .map((folder) => join(root, folder, name))
      .find((path) => existsSync(path));
    if (file === undefined)
      throw new Error(
        `the packages in ${root} hold no ${name}; delete that folder to fetch them again`,
      );
    return file;
  };
  return programsOfOvn(find, env, join(root, 'usr/share/ovn'));
}

function installed(): OvnPrograms | undefined {
  const schemas = '/usr/share/ovn';
  if (
    !existsSync(join(schemas, 'ovn-nb.ovsschema')) ||
    PROGRAMS.some((name) => findOnPath(name) === undefined)
  )
    return undefined;
  return programsOfOvn((name) => findOnPath(name) ?? name, {}, schemas);
}

/** OVN's programs by where each is found. */
export const programsOfOvn = (
  find: (name: string) => string,
  env: Readonly<Record<string, string>>,
  schemas: string,
): OvnPrograms => ({
  paths: Object.fromEntries(PROGRAMS.map((name) => [name, find(name)])) as Record<
    OvnProgram,
    string
  >,
  env,
  schemas: { nb: join(schemas, 'ovn-nb.ovsschema'), sb: join(schemas, 'ovn-sb.ovsschema') },
});
