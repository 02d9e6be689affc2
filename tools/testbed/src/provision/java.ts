import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { findOnPath } from './command';
import {
  hasDebianTools,
  unpackDebianPackages,
  unpackedPackages,
  type UnpackedPackages,
} from './debian';
import type { Progress } from './progress';

/** A Java runtime and what its environment needs. */
export interface Java {
  readonly path: string;
  /** As it says itself, e.g. `17.0.15`. */
  readonly version: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What the broker's classes are compiled for (class file version 61). */
const NEEDED = 17;
const PACKAGE = 'openjdk-17-jre-headless';

/**
 * A Java that is already here and new enough: of JAVA_HOME, of the PATH, or unpacked by us. Asks no
 * network, starts nothing.
 */
export function javaAtHand(): Java | undefined {
  const home = process.env['JAVA_HOME'];
  const onPath = findOnPath('java');
  const installed = [
    ...(home ? [home] : []),
    ...(onPath === undefined ? [] : [dirname(dirname(realpathSync(onPath)))]),
  ];
  const found = installed.map((each) => javaIn(each, {})).find((java) => java !== undefined);
  if (found !== undefined) return found;
  const unpacked = unpackedPackages(PACKAGE);
  return unpacked === undefined ? undefined : fromPackage(unpacked);
}

/**
 * Java 17 or later: the one at hand, else the distribution's package (Debian 12: 17.0; about 45
 * MB).
 */
export async function provisionJava(progress: Progress): Promise<Java> {
  const atHand = javaAtHand();
  if (atHand !== undefined) return atHand;
  const needed = `Apache Kafka needs Java ${NEEDED} or later, and neither JAVA_HOME nor the PATH has one`;
  if (!hasDebianTools())
    throw new Error(`${needed}; install it, or give a broker by STEWARD_TEST_KAFKA=host:port`);
  const unpacked = await unpackDebianPackages([PACKAGE], progress);
  const java = fromPackage(unpacked);
  if (java === undefined)
    throw new Error(
      `the packages in ${unpacked.root} hold no Java ${NEEDED}; delete that folder to fetch them again`,
    );
  return java;
}

/**
 * The runtime in this folder, by the `release` file every runtime since 9 carries, so that nothing
 * has to be started to know.
 */
function javaIn(home: string, env: Readonly<Record<string, string>>): Java | undefined {
  const path = join(home, 'bin', 'java');
  const release = join(home, 'release');
  if (!existsSync(path) || !existsSync(release)) return undefined;
  const version = /^JAVA_VERSION="?([^"\n]+)"?$/m.exec(readFileSync(release, 'utf8'))?.[1] ?? '';
  return Number.parseInt(version, 10) >= NEEDED ? { path, version, env } : undefined;
}

function fromPackage({ root, env }: UnpackedPackages): Java | undefined {
  const parent = join(root, 'usr/lib/jvm');
  const homes = existsSync(parent)
    ? readdirSync(parent).filter((name) => existsSync(join(parent, name, 'bin/java')))
    : [];
  const home = homes.map((name) => join(parent, name))[0];
  if (home === undefined) return undefined;
  keepLinksInside(home, root);
  return javaIn(home, env);
}

/**
 * The package links its settings to /etc, where they are once it is installed; unpacked, they are
 * in the tree's own etc.
 */
function keepLinksInside(folder: string, root: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const kind = lstatSync(path);
    if (kind.isDirectory()) keepLinksInside(path, root);
    if (!kind.isSymbolicLink()) continue;
    const target = readlinkSync(path);
    const inside = join(root, target);
    if (!isAbsolute(target) || !existsSync(inside)) continue;
    rmSync(path);
    symlinkSync(relative(folder, inside), path);
  }
}
