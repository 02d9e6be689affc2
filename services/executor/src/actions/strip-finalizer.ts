import { operation } from '@ovn-steward/ovsdb';
import { describe } from '@ovn-steward/shared/events/reference';
import { manifestOf } from '../kubernetes/manifest';
import { finalizersOf, isRefusal, readTarget, versionText } from '../kubernetes/target-object';
import { ask } from '../northbound/ask';
import type { Northbound } from '../northbound/northbound';
import { type Action, type Refusal, refusal } from './action';

/** Kube-OVN's own, today's and that of releases before 1.13 (kube-ovn.md §1). */
const OURS: ReadonlySet<string> = new Set(['kubeovn.io/kube-ovn-controller', 'kube-ovn-controller']);

/** Where in the Northbound there is what the finalizer holds for: the row has the object's name (kube-ovn.md rows 35 and 57). */
const HELD_FOR: ReadonlyMap<string, string> = new Map([['IP', 'Logical_Switch_Port'], ['OvnDnatRule', 'Load_Balancer']]);

/** What mends the others instead (kube-ovn.md §7.2 and rows 39, 40, 43, 54, 58): without its finalizer each would leave something behind. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['Subnet', 'delete what still holds an address of it'],
  ['Vip', 'start the Kube-OVN controller, which frees its address'],
  ['IPPool', 'start the Kube-OVN controller, which removes its address set'],
  ['OvnEip', 'delete the rules that use it; where their Vpc is gone, make an empty one of that name, let them finish, and delete it'],
  ['OvnFip', 'make an empty Vpc of the name of the lost one, let it finish, and delete that Vpc: its NAT would stay otherwise'],
  ['OvnSnatRule', 'make an empty Vpc of the name of the lost one, let it finish, and delete that Vpc: its NAT would stay otherwise'],
  ['IptablesEIP', 'bring its gateway\'s pod up, or delete the gateway'],
  ['IptablesFIPRule', 'bring its gateway\'s pod up, or delete the gateway'],
  ['IptablesDnatRule', 'bring its gateway\'s pod up, or delete the gateway'],
  ['IptablesSnatRule', 'bring its gateway\'s pod up, or delete the gateway'],
]);

/** The last step of a deletion that hangs: takes Kube-OVN's finalizer from an object of which nothing is left in OVN. */
const stripFinalizer: Action = {
  id: 'strip-finalizer',
  on: 'kubernetes',
  kinds: [...HELD_FOR.keys()],
  onlyApproved: true,
  rank: 140,
  does: 'Takes Kube-OVN\'s finalizer from an object whose deletion hangs and of which nothing is left in the Northbound; the object then goes.',
  undoing: 'Where it was the last finalizer, the object is made again, with a new uid and not being deleted; no other finalizer comes back. The controller counts the address as used until it starts again.',

  async prepare(target, _note, { kubernetes, northbound }, signal) {
    const { part, kind } = target;
    if (part?.column !== 'metadata.finalizers' || !OURS.has(part.key)) return refusal('unsupported', `only finalizers of Kube-OVN are taken away (${[...OURS].join(', ')}), not ${part?.key ?? 'none'}`);
    const instead = INSTEAD.get(kind);
    if (instead !== undefined) return refusal('unsupported', `the finalizer of ${describe(target)} is not taken away: ${instead}`);
    const read = await readTarget(target, stripFinalizer.kinds, kubernetes, signal);
    if (isRefusal(read)) return read;
    const { object, version } = read;
    const finalizers = finalizersOf(object);
    const at = finalizers.indexOf(part.key);
    if (at < 0) return refusal('gone', `${describe(target)} has no finalizer ${part.key} any more`);
    if (object.metadata.deletionTimestamp === undefined) return refusal('changed', `${describe(target)} is not being deleted`);
    const left = await leftInNorthbound(kind, target.name, northbound, signal);
    if (left) return left;

    const path = '/metadata/finalizers';
    const { resourceVersion: _, ...identity } = version;
    return {
      is: 'prepared',
      effect: { on: 'kubernetes', verb: 'patch', object: version, patch: [{ op: 'test', path: `${path}/${at}`, value: part.key }, { op: 'remove', path: `${path}/${at}` }] },
      undo: finalizers.length === 1 ? { of: 'object', kind, manifest: manifestOf(kind, object) } : { of: 'field', ...identity, path: `${path}/-`, value: part.key },
      version: versionText(version),
    };
  },
};
export default stripFinalizer;

async function leftInNorthbound(kind: string, name: string, northbound: Northbound, signal: AbortSignal): Promise<Refusal | undefined> {
  const table = HELD_FOR.get(kind)!;
  const [rows = []] = await ask(northbound, [operation.select(table, [['name', '==', name]], ['_uuid'])], signal);
  return rows.length === 0 ? undefined : refusal('changed', `${table} ${name} is there: its controller has not finished with ${kind} ${name}, and would leave it behind`);
}
