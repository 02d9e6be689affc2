import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Objects, Thing } from '../incidents/actor/objects';
import { openShell, type Shell } from '../support/shell';
import { randomOf } from '../support/random';
import { audited, saying } from './audited';
import { churn } from './churn';
import { addressed, addressOf, ownerOf, pod, statefulSet, WORKERS } from './cluster';
import { provided } from './provided';
import { type Rig, startRig } from './rig';
import { AT_ONCE } from './scenarios/scenario';

/** What was seen beside the real controller. */
export interface RigRun {
  readonly seed: number;
  readonly seconds: number;
  /** What an audit of the healthy cluster would have removed. */
  readonly accused: readonly string[];
  /** Acts of the churn, by name. */
  readonly acts: Readonly<Record<string, number>>;
  /**
   * Rows that Kube-OVN itself left of Vpcs that the churn deleted, and that were rightly confirmed
   * or found (kube-ovn.md, row 44).
   */
  readonly left: readonly string[];
  /** What was confirmed as garbage or leaked during the churn: nothing of it was. */
  readonly confirmed: readonly string[];
  /**
   * Addresses that were leaked on purpose, and those of them that were found; and what was found
   * beside them.
   */
  readonly leaked: readonly string[];
  readonly found: readonly string[];
  readonly besides: readonly string[];
  /** Who of them had their IP object put back, and what came of its address. */
  readonly undone: Undone | undefined;
}

export interface Undone {
  readonly ip: string;
  readonly address: string;
  /** Whether the object has Kube-OVN's finalizer again. */
  readonly held: boolean;
  /** What a pod got that asked for the address. */
  readonly thief: string | null;
  /** What the pod got when it came back. */
  readonly owner: string;
}

/** All that was seen is as it should be. */
export const isRight = ({ accused, confirmed, leaked, found, besides, undone }: RigRun): boolean =>
  accused.length + confirmed.length + besides.length === 0 &&
  leaked.length > 0 &&
  JSON.stringify(leaked) === JSON.stringify(found) &&
  undone?.held === true &&
  undone.thief === null &&
  undone.owner === undone.address;

const REMOVED: ReadonlySet<string> = new Set(['garbage', 'leak']);
const GRACE = '20s';

/** Of an audit: what it would have removed. */
async function accusedBy(shell: Shell): Promise<readonly Finding[]> {
  const { findings } = await audited(shell);
  return findings.filter((it) => REMOVED.has(it.class));
}

/** Plays all of it, once. Takes two minutes beside the seconds of the churn. */
export async function runRig(seed: number, seconds: number): Promise<RigRun> {
  const rig = await startRig(provided(), 20);
  const watching = openShell({
    ...rig.settings,
    grace: { garbage: GRACE, leak: GRACE },
  });
  const acting = openShell({ ...rig.settings, ...AT_ONCE });
  try {
    const accused = (await accusedBy(acting)).map(saying);
    const beside = watching.runBeside('steward run --output ndjson');
    const { acts, vpcs } = await churn(rig.objects, randomOf(seed), seconds);
    await cleanedUp(rig.objects);
    const confirmed = confirmedIn((await beside.stop()).stdout);
    const isLeft = leftOf(await goneOf(rig.objects, vpcs));
    const leaked = await leak(rig);
    const after = await accusedBy(acting);
    const names = after.filter((it) => it.subject.kind === 'IP').map((it) => it.subject.name);
    return {
      seed,
      seconds,
      accused,
      acts,
      left: [...new Set([...confirmed, ...after].filter(isLeft).map(saying))],
      confirmed: confirmed.filter((it) => !isLeft(it)).map(saying),
      leaked,
      found: leaked.filter((it) => names.includes(it)),
      besides: after.filter((it) => !isLeft(it) && !leaked.includes(it.subject.name)).map(saying),
      undone: await removedAndBack(rig, acting, leaked),
    };
  } finally {
    watching.close();
    acting.close();
    await rig.stop();
  }
}

/**
 * Waits until the controller has freed what the churn's last pods had: killed before, it would
 * forget them, and their addresses would rightly be found as leaked. What it does not free within
 * the time is left to be found.
 */
async function cleanedUp(objects: Objects): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    const pods = new Set(
      (await objects.list('Pod')).map(
        ({ metadata: { namespace, name } }) => `${name}.${namespace}`,
      ),
    );
    const ips = (await objects.list('IP')).map(({ metadata: { name } }) => name);
    return ips.every((name) => !SHORT_LIVED.test(name) || pods.has(name));
  };
  await waitFor(isDone, {
    what: 'Kube-OVN to free the addresses of pods that are gone',
    timeoutMs: 60_000,
  }).catch(() => undefined);
}

/** IPs of the pods that the churn makes and deletes by itself (`pods` and `forced`). */
const SHORT_LIVED = /^(?:burst|forced)-\d+\./;

/** Each line is a finding in the state it came to. */
const confirmedIn = (ndjson: string): readonly Finding[] =>
  ndjson
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => {
      const event = JSON.parse(line) as Finding & { readonly data?: Finding };
      return event.data ?? event;
    })
    .filter((it) => it.state === 'confirmed' && REMOVED.has(it.class));

/** Those Vpcs that the API server has no more, whatever Steward says. */
async function goneOf(objects: Objects, vpcs: readonly string[]): Promise<readonly string[]> {
  const there = new Set((await objects.list('Vpc')).map((it) => it.metadata.name));
  return vpcs.filter((it) => !there.has(it));
}

/** Whether a row is one of such a Vpc, by its name. */
const leftOf =
  (gone: readonly string[]) =>
  ({ subject }: Finding): boolean => {
    const name = `${subject.name.replaceAll('.', '-')}-`;
    return gone.some((it) => name.startsWith(`${it}-`) || name.startsWith(`vpc-${it}-`));
  };

/**
 * Pods of a StatefulSet go while the controller is down, and it comes back without its collection:
 * their addresses stay.
 */
async function leak({ objects, nbctl, restartController }: Rig): Promise<readonly string[]> {
  const set = await objects.create(statefulSet('shop', 'lost', 2));
  const ips = [];
  for (const nth of [0, 1]) {
    await addressed(objects, lostPod(set, nth));
    ips.push(`lost-${nth}.shop`);
  }
  await restartController();
  for (const nth of [0, 1]) await objects.remove(lostPod(set, nth), true);
  await objects.remove(set, true);
  // A chassis that claims a port may carry its traffic: such an address is kept, rightly.
  for (const port of ips)
    await waitFor(
      async () => (await nbctl('get', 'Logical_Switch_Port', port, 'up')).trim() === 'false',
      { what: `port ${port} to be down`, timeoutMs: 60_000 },
    );
  await restartController(0);
  return ips;
}

const lostPod = (set: Thing, nth: number): Thing =>
  pod('shop', `lost-${nth}`, WORKERS[nth]!, { ownerReferences: [ownerOf(set)] });

/**
 * Has the leaked addresses removed and one of them put back; then a thief asks for it, and then its
 * owner returns.
 */
async function removedAndBack(
  { objects }: Rig,
  shell: Shell,
  leaked: readonly string[],
): Promise<Undone | undefined> {
  const [name] = leaked as [string];
  const before = await objects.get('IP', name);
  const address = String(before?.spec?.['ipAddress']);
  const planned = await shell.run('steward plan --look --rule leaked-ip --out plan.yaml');
  if (!planned.stdout.includes(`delete-ip IP ${name}:`))
    throw new Error(`the plan leaves out IP ${name}: ${planned.stdout}`);
  const applied = await shell.run('steward apply plan.yaml');
  if (applied.code !== 0) throw new Error(`the plan was not carried out: ${applied.stdout}`);
  await waitFor(async () => (await objects.get('IP', name)) === undefined, {
    what: `IP ${name} to be gone`,
    timeoutMs: 60_000,
  });
  const { stdout } = await shell.run('steward actions --output json');
  const id = actionOn(stdout, name);
  await shell.run(`steward undo ${id}`);
  const held = await waitFor(
    async () => ((await objects.get('IP', name))?.metadata.finalizers ?? []).length > 0,
    { what: `IP ${name} to be taken by the controller`, timeoutMs: 20_000 },
  ).catch(() => false);
  const thief = await requesting(objects, 'thief', address);
  const set = await objects.create(statefulSet('shop', 'lost', 1));
  const owner = addressOf(await addressed(objects, lostPod(set, 0)));
  return { ip: name, address, held, thief, owner };
}

function actionOn(json: string, name: string): string {
  const said = JSON.parse(json) as { readonly actions?: readonly ActionLine[] } | ActionLine[];
  const actions = Array.isArray(said) ? said : (said.actions ?? []);
  const found = actions.find((it) => it.target.name === name);
  if (found === undefined) throw new Error(`nothing was done to ${name}: ${json}`);
  return found.id;
}

interface ActionLine {
  readonly id: string;
  readonly target: { readonly name: string };
}

/** What a pod gets that asks for an address; null where Kube-OVN refuses it for five seconds. */
async function requesting(objects: Objects, name: string, address: string): Promise<string | null> {
  const wanted = pod('shop', name, WORKERS[0], {
    annotations: { 'ovn.kubernetes.io/ip_address': address },
  });
  await objects.create(wanted);
  const got = await waitFor(
    async () => {
      const found = await objects.get('Pod', name, 'shop');
      return (
        found?.metadata.annotations?.['ovn.kubernetes.io/allocated'] === 'true' && addressOf(found)
      );
    },
    { what: 'the address', timeoutMs: 5_000 },
  ).catch(() => null);
  await objects.remove(wanted, true);
  return got;
}
