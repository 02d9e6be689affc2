import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describeWith, type Fixture } from '@ovn-steward/testbed/fixture';

/** The version that users upgrade from, and the commit it was landed with. */
export const BEFORE = {
  version: '0.1.0',
  commit: '74e41d7e9171b13c42c83c22bb216a97f2ce2379',
} as const;

/**
 * Kinds of which this version's records hold more than that version's; such a record has another
 * hash.
 */
export const FULLER_SINCE: ReadonlySet<string> = new Set([
  'Deployment',
  'NetworkPolicy',
  'OvnEip',
  'Pod',
  'Vip',
]);

/**
 * Rules that say or advise otherwise than in that version, whose findings therefore get another
 * revision.
 */
const REWORDED_SINCE: ReadonlySet<string> = new Set([
  'address-only-in-ipam',
  'held-pod',
  'missing-ip',
  'missing-port-group-member',
  'namespace-without-subnet',
  'port-bound-elsewhere',
  'stale-security-group-key',
  'stuck-ip-pool-deletion',
  'stuck-iptables-dnat-rule-deletion',
  'stuck-iptables-eip-deletion',
  'stuck-iptables-fip-rule-deletion',
  'stuck-iptables-snat-rule-deletion',
  'stuck-subnet-deletion',
  'stuck-vip-deletion',
  'stuck-vpc-egress-gateway-deletion',
]);

/** Rules that find something in the state of that version, and that it does not have. */
const ADDED_SINCE: ReadonlySet<string> = new Set(['denied-port-without-security-group']);

/** Whether the finding is of a rule that the version before has as well. */
export const isOfRuleBefore = (finding: unknown): boolean =>
  !ADDED_SINCE.has((finding as Worded).rule);

interface Worded {
  readonly rule: string;
  readonly remedy: object | null;
}

/** A finding without its words and its revision, where its rule is one of those. */
export function withoutNewWords(finding: unknown): unknown {
  const { rule, remedy } = finding as Worded;
  if (!REWORDED_SINCE.has(rule)) return finding;
  const summary = '';
  const lastSeen = '';
  const revision = 0;
  return {
    ...(finding as object),
    summary,
    lastSeen,
    revision,
    remedy: remedy && { ...remedy, advice: '' },
  };
}

const REPOSITORY = join(__dirname, '..', '..');
const OURS = '@ovn-steward';
const IGNORED = '**/*.test.ts,**/*.contract.ts,**/testing/**';

/**
 * Where it is built, once for all tests of this checkout. It lies inside the checkout's
 * node_modules: it uses the packages there, and must disappear with them.
 */
export const beforeRoot = (): string =>
  join(REPOSITORY, 'node_modules', '.cache', 'ovn-steward', `before-${BEFORE.commit.slice(0, 12)}`);

/** Whether this checkout has the commit; an archive or a shallow clone has not. */
function hasHistory(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', BEFORE.commit], { cwd: REPOSITORY, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** That version, built from this repository's history with the dependencies of this checkout. */
const versionBefore: Fixture = {
  name: `version ${BEFORE.version}`,
  missing() {
    if (existsSync(beforeRoot())) return undefined;
    const draft = `${beforeRoot()}.${process.pid}`;
    try {
      build(draft);
      renameSync(draft, beforeRoot());
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(beforeRoot())) return `it could not be built: ${String(error)}`;
    }
    return undefined;
  },
};

/**
 * Tests with the version before. A checkout without its commit says so and skips them, under CI
 * too: what is not in the clone cannot be built from it.
 */
export function describeWithVersionBefore(name: string, tests: () => void): void {
  if (existsSync(beforeRoot()) || hasHistory()) return describeWith(versionBefore, name, tests);
  process.stderr.write(
    `\n!! SKIPPED: ${name}: this checkout has no commit ${BEFORE.commit}; git fetch --unshallow brings it\n\n`,
  );
  describe.skip(name, tests);
}

function build(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync(
    'git',
    ['archive', BEFORE.commit, 'package.json', 'apps', 'libs', 'services'],
    { cwd: REPOSITORY, maxBuffer: 2 ** 30 },
  );
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  linkOurs(folder);
  for (const part of partsIn(folder)) {
    linkAll(join(REPOSITORY, part, 'node_modules'), join(folder, part, 'node_modules'));
    const swc = join(REPOSITORY, 'node_modules', '.bin', 'swc');
    execFileSync(
      swc,
      ['src', '-d', 'dist', '--strip-leading-paths', '--ignore', IGNORED, '--quiet'],
      { cwd: join(folder, part) },
    );
  }
}

const partsIn = (folder: string): string[] =>
  ['libs', 'services', 'apps'].flatMap((it) =>
    readdirSync(join(folder, it)).map((name) => join(it, name)),
  );

/**
 * Our packages lead to that folder's; others' are found above it, in the checkout's node_modules.
 */
function linkOurs(folder: string): void {
  const here = join(REPOSITORY, 'node_modules', OURS);
  const ours = join(folder, 'node_modules', OURS);
  mkdirSync(ours, { recursive: true });
  for (const name of readdirSync(here))
    symlinkSync(readlinkSync(join(here, name)), join(ours, name));
}

function linkAll(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) symlinkSync(join(from, name), join(to, name));
}
