import { setTimeout as sleep } from 'node:timers/promises';
import { holdersOf } from './addresses';
import { giveEips } from './eips';
import { releaseIps } from './ips';
import { annotateNamespaces } from './namespaces';
import type { Northbound } from './northbound';
import type { Objects, Thing } from './objects';
import { allocatePods, forgetPod } from './pods';
import { forgetSubnet, reconcileSubnets } from './subnets';
import { reconcileVpcs, type Release } from './vpcs';
import { tendWorkloads } from './workloads';

const PAUSE_MS = 100;
const MOST_TURNS = 40;

/** Kube-OVN's controller, as far as the incidents need it: it writes what that writes, in its order, with its faults. */
export interface Controller {
  /** Turns until one of them writes nothing. */
  settle(): Promise<void>;
  /** Goes on while somebody else works, then settles. */
  during<T>(work: Promise<T>): Promise<T>;
}

export function startController(nb: Northbound, real: Objects, release: Release): Controller {
  let writes = 0;
  const counting = <A extends unknown[], T>(write: (...args: A) => Promise<T>) => (...args: A): Promise<T> => {
    writes += 1;
    return write(...args);
  };
  const objects: Objects = { ...real, create: counting(real.create), write: counting(real.write), writeStatus: counting(real.writeStatus), remove: counting(real.remove), bind: counting(real.bind) };
  const [made, memory, lostVpcs] = [{ count: 0 }, new Map<string, Thing>(), [] as Thing[]];

  /** What the informers would tell: who was there at the last turn and is not now. */
  const gone = async (kind: string): Promise<Thing[]> => {
    const now = await real.list(kind);
    const living = new Set(now.map(({ metadata }) => metadata.uid));
    const lost = [...memory.values()].filter((it) => it.kind === kind && !living.has(it.metadata.uid));
    for (const it of lost) memory.delete(it.metadata.uid!);
    for (const it of now) memory.set(it.metadata.uid!, it);
    return lost;
  };
  const turn = async (): Promise<void> => {
    await tendWorkloads(objects, made);
    for (const pod of await gone('Pod')) await forgetPod(nb, objects, pod);
    lostVpcs.push(...(await gone('Vpc')));
    await reconcileVpcs(nb, objects, release, lostVpcs);
    for (const subnet of await gone('Subnet')) await forgetSubnet(nb, subnet);
    await releaseIps(nb, objects);
    await giveEips(objects);
    await reconcileSubnets(nb, objects, await holdersOf(objects));
    await annotateNamespaces(objects);
    await allocatePods(nb, objects);
  };
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      const before = writes;
      await turn();
      if (writes === before) return;
    }
    throw new Error(`the actor does not come to rest in ${MOST_TURNS} turns`);
  };
  return {
    settle,
    async during(work) {
      let over = false;
      const ended = work.finally(() => { over = true; });
      ended.catch(() => undefined);
      while (!over) {
        await turn();
        await Promise.race([ended.catch(() => undefined), sleep(PAUSE_MS)]);
      }
      await settle();
      return ended;
    },
  };
}
