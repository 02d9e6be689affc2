import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from './command';
import { hasDebianTools, unpackDebianPackages, unpackedPackages } from './debian';
import type { Progress } from './progress';

const PACKAGE = 'prometheus-alertmanager';
/** Debian's program reads its templates from here, whatever its flags say. */
const TEMPLATES = '/usr/share/prometheus/alertmanager';

/** A program, and the folder of templates that it wants to have below its working directory. */
export interface Alertmanager {
  readonly program: string;
  readonly templates: string | undefined;
}

const unpackedIn = (root: string): Alertmanager => ({
  program: join(root, 'usr/bin/alertmanager-here'),
  templates: join(root, TEMPLATES),
});

/**
 * Alertmanager as it is already here: the machine's, else the one fetched before. Asks no network.
 */
export function alertmanagerAtHand(): Alertmanager | undefined {
  const program = findOnPath('alertmanager') ?? findOnPath(PACKAGE);
  if (program !== undefined) return { program, templates: undefined };
  const unpacked = unpackedPackages(PACKAGE);
  const fetched = unpacked && unpackedIn(unpacked.root);
  return fetched && existsSync(fetched.program) ? fetched : undefined;
}

/**
 * Alertmanager: the one at hand, else the distribution's package (Debian 12: 0.25.0; about 15 MB,
 * seconds).
 */
export async function provisionAlertmanager(progress: Progress): Promise<Alertmanager> {
  const atHand = alertmanagerAtHand();
  if (atHand !== undefined) return atHand;
  if (!hasDebianTools())
    throw new Error(
      'Alertmanager needs apt-get, apt-cache and dpkg-deb to be fetched (Debian, Ubuntu), or to be installed',
    );
  const { root } = await unpackDebianPackages([PACKAGE], progress);
  const made = unpackedIn(root);
  relocate(join(root, 'usr/bin', PACKAGE), made.program);
  return made;
}

/**
 * A copy that looks for its templates in its working directory: unpacked and not installed, the
 * package has nothing where it looks.
 */
function relocate(from: string, to: string): void {
  const part = `${to}.${process.pid}`;
  copyFileSync(from, part); // with its mode
  writeFileSync(part, Buffer.from(relocated(readFileSync(from).toString('latin1')), 'latin1'));
  renameSync(part, to);
}

/** `./////…` is as long, and the working directory. */
const relocated = (program: string): string =>
  program.replaceAll(TEMPLATES, '.'.padEnd(TEMPLATES.length, '/'));
