import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Cluster } from '../cluster';
import { isWanted } from './alive';
import type { Ill } from './ill';
import type { Owner } from './labels';

interface Record {
  readonly name: string;
  readonly address: string;
  /** By uid, who keeps it though no pod may exist; empty of a reservation. */
  readonly keepers: ReadonlyMap<string, Owner>;
  readonly isReserved: boolean;
}

/** Address records that went while they were kept for somebody who has wanted them ever since. */
export class LostRecords {
  #there = new Map<string, Record>();
  readonly #lost = new Map<string, Record>();

  /** Compares what is there with what was. To be called whenever anything may have changed. */
  *look(cluster: Cluster): Generator<Ill> {
    const there = new Map(
      [...cluster.objects.all('IP')].map((ip) => [ip.metadata.uid, recordOf(cluster, ip)] as const),
    );
    for (const [uid, it] of this.#there) if (!there.has(uid)) this.#lost.set(uid, it);
    this.#there = there;
    const now = new Map([...there.values()].map((it) => [it.name, it]));
    for (const [uid, it] of this.#lost) {
      const isKept = [...it.keepers].some(
        ([keeper, owner]) => isWanted(cluster, owner) && uidOf(cluster, owner) === keeper,
      );
      if (!isKept && !it.isReserved) {
        this.#lost.delete(uid);
        continue;
      }
      const back = now.get(it.name);
      if (!back) yield { rule: 'kept-address-lost', uid, what: `IP ${it.name} went`, say: 'may' };
      else if (back.address !== it.address)
        yield { rule: 'kept-address-changed', uid, what: `IP ${it.name} changed`, say: 'may' };
    }
  }
}

function recordOf(cluster: Cluster, { metadata, spec }: KubernetesObject): Record {
  const owners = (cluster.labels.get(metadata.uid)?.owners ?? []).filter(
    (it) => (it.kind === 'Ordinal' || it.kind === 'VirtualMachine') && isWanted(cluster, it),
  );
  return {
    name: metadata.name,
    address: String((spec as { ipAddress?: string }).ipAddress),
    keepers: new Map(owners.map((it) => [uidOf(cluster, it)!, it])),
    isReserved:
      (metadata['labels'] as { readonly [key: string]: string } | undefined)?.[
        'ovn.kubernetes.io/ip_reserved'
      ] === 'true',
  };
}

const uidOf = (cluster: Cluster, { kind, namespace, name }: Owner): string | undefined =>
  cluster.objects.get(kind === 'Ordinal' ? 'StatefulSet' : kind, namespace, name)?.metadata.uid;
