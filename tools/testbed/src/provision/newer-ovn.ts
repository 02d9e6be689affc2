import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeCacheFolder, markComplete, newestComplete, systemKey } from './cache';
import { findOnPath, runCommand } from './command';
import { withLock } from './lock';
import { type OvnPrograms, programsOfOvn } from './ovn';
import type { Progress } from './progress';

/**
 * The release of Debian whose OVN is 25.03 (Northbound schema 7.11.0): Kube-OVN from 1.15 on
 * connects to no older schema.
 */
const RELEASE = 'trixie';

/**
 * With the loader and C library that they were linked with: they are run by those and leave the
 * machine's own alone.
 */
const PACKAGES = [
  'ovn-central',
  'ovn-common',
  'openvswitch-common',
  'libc6',
  'libgcc-s1',
  'libssl3t64',
  'libunbound8',
  'libcap-ng0',
  'libunwind8',
  'libxdp1',
  'libbpf1',
  'libelf1t64',
  'zlib1g',
  'libzstd1',
  'liblzma5',
  'libevent-2.1-7t64',
  'libnghttp2-14',
];

const PREFIX = `ovn-of-${RELEASE}-`;

/**
 * OVN 25.03: what was fetched before, else from the Debian archive that this machine uses (about 20
 * MB). Debian on amd64 only.
 */
export async function provisionNewerOvn(progress: Progress): Promise<OvnPrograms> {
  const parent = makeCacheFolder(systemKey());
  const known = (): OvnPrograms | undefined => {
    const root = newestComplete(parent, PREFIX);
    return root === undefined ? undefined : programsIn(root);
  };
  return (
    known() ??
    withLock(
      join(makeCacheFolder(), `${PREFIX}lock`),
      () => progress('waiting for another process that fetches a newer OVN'),
      async () => {
        const meanwhile = known();
        if (meanwhile) return meanwhile;
        progress(`fetching OVN of Debian ${RELEASE}`);
        return programsIn(await fetchInto(parent));
      },
    )
  );
}

/** Why it cannot be had here; undefined when it can be tried. */
export const newerOvnObstacle = (): string | undefined =>
  process.arch === 'x64' && existsSync('/etc/debian_version') && findOnPath('apt-get')
    ? undefined
    : 'OVN 25.03 is fetched from the Debian archive, for Debian on amd64';

const programsIn = (root: string): OvnPrograms =>
  programsOfOvn((name) => join(root, 'run', name), {}, join(root, 'usr/share/ovn'));

async function fetchInto(parent: string): Promise<string> {
  const work = mkdtempSync(join(parent, '.fetching-'));
  try {
    const options = await ownSources(work);
    await runCommand('apt-get', [...options, '-qq', 'update'], { timeout: 300_000 });
    await runCommand('apt-get', [...options, '-qq', 'download', ...PACKAGES], {
      cwd: work,
      timeout: 300_000,
    });
    const archives = readdirSync(work).filter((file) => file.endsWith('.deb'));
    const version = /^ovn-central_([^_]+)_/.exec(
      archives.find((it) => it.startsWith('ovn-central_')) ?? '',
    )?.[1];
    if (version === undefined)
      throw new Error(`apt-get brought no ovn-central among: ${archives.join(', ')}`);
    const tree = join(work, 'tree');
    for (const archive of archives) await runCommand('dpkg-deb', ['-x', join(work, archive), tree]);
    const root = join(parent, PREFIX + version.replaceAll(/[^\w.+~-]/g, '_'));
    writeRunners(tree, root);
    markComplete(tree);
    rmSync(root, { recursive: true, force: true });
    renameSync(tree, root);
    return root;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Lists and cache of its own, from the archive that this machine's packages come from: nothing of
 * the machine's own apt changes.
 */
async function ownSources(work: string): Promise<readonly string[]> {
  const targets = await runCommand('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI) $(COMPONENT) $(LABEL) $(IDENTIFIER)',
  ]);
  const archive = /^(\S+) main Debian Packages$/m.exec(targets)?.[1];
  if (archive === undefined) throw new Error("this machine's apt has no source of Debian's main");
  const at = (...names: string[]): string => join(work, ...names);
  for (const folder of ['lists/partial', 'cache/archives/partial', 'parts'])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(
    at('sources.list'),
    `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${archive} ${RELEASE} main\n`,
  );
  writeFileSync(at('status'), '');
  return [
    `Dir::Etc::sourcelist=${at('sources.list')}`,
    `Dir::Etc::sourceparts=${at('parts')}`,
    `Dir::Etc::preferencesparts=${at('parts')}`,
    `Dir::State::lists=${at('lists')}`,
    `Dir::State::status=${at('status')}`,
    `Dir::Cache=${at('cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((it) => ['-o', it]);
}

/** A script for each program, which runs it by the loader and libraries beside it. */
function writeRunners(tree: string, root: string): void {
  const folder = join(tree, 'run');
  mkdirSync(folder);
  const libraries = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
    .map((it) => join(root, it))
    .join(':');
  for (const bin of ['usr/bin', 'usr/sbin'])
    for (const name of existsSync(join(tree, bin)) ? readdirSync(join(tree, bin)) : []) {
      writeFileSync(
        join(folder, name),
        `#!/bin/sh\nexec '${join(root, 'usr/lib64/ld-linux-x86-64.so.2')}' --library-path '${libraries}' '${join(root, bin, name)}' "$@"\n`,
      );
      chmodSync(join(folder, name), 0o755);
    }
}
