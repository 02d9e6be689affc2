import { kubernetesStream } from '@ovn-steward/shared/kinds';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Cluster } from '../cluster';
import type { Delivery } from '../feeds/delivery';
import { isWanted } from './alive';
import type { Ill } from './ill';
import type { Owner } from './labels';

/** Who keeps a record though no pod may exist. */
interface Keeper {
  readonly owner: Owner;
  /**
   * Where it let go of the record and that is not reported yet: how often its kind had been read in
   * full by then.
   */
  unreportedAfter?: number;
}

interface Record {
  readonly name: string;
  readonly address: string;
  /** By uid; empty of a reservation. */
  readonly keepers: Map<string, Keeper>;
  readonly isReserved: boolean;
}

/**
 * Address records that went while they were kept for somebody who has wanted them ever since, as far
 * as anybody can know: who wanted one no more and wants it again before its kind can be read has
 * wanted it all the time.
 */
export class LostRecords {
  #there = new Map<string, Record>();
  readonly #lost = new Map<string, Record>();

  /** @param delivery what is reported of each kind. */
  constructor(
    readonly cluster: Cluster,
    readonly delivery: Pick<Delivery, 'stateOf' | 'listings'>,
  ) {}

  /** Compares what is there with what was. To be called whenever anything may have changed. */
  *evaluate(): Generator<Ill> {
    for (const it of [...this.#there.values(), ...this.#lost.values()]) this.#release(it);
    const there = new Map(
      [...this.cluster.objects.all('IP')].map((ip) => [ip.metadata.uid, this.#recordOf(ip)]),
    );
    for (const [uid, it] of this.#there) if (!there.has(uid)) this.#lost.set(uid, it);
    this.#there = there;
    const now = new Map([...there.values()].map((it) => [it.name, it]));
    for (const [uid, record] of this.#lost) {
      if (record.keepers.size === 0 && !record.isReserved) {
        this.#lost.delete(uid);
        continue;
      }
      const back = now.get(record.name);
      if (!back)
        yield { rule: 'kept-address-lost', uid, what: `IP ${record.name} went`, expected: 'may' };
      else if (back.address !== record.address)
        yield {
          rule: 'kept-address-changed',
          uid,
          what: `IP ${record.name} changed`,
          expected: 'may',
        };
    }
  }

  /** Takes those of its keepers of whom readers know, or learn now, that they let go of it. */
  #release({ keepers }: Record): void {
    for (const [uid, keeper] of keepers) {
      const { owner } = keeper;
      const stream = kubernetesStream(kindOf(owner));
      const isFollowed = this.delivery.stateOf(stream) === 'following';
      const isLeft = !isWanted(this.cluster, owner) || uidOf(this.cluster, owner) !== uid;
      // A watch that hung and goes on reports all that happened; a list shows what is.
      const isLate = isFollowed && keeper.unreportedAfter === this.delivery.listings(stream);
      if (isLate || (isFollowed && isLeft)) keepers.delete(uid);
      else if (isFollowed) delete keeper.unreportedAfter;
      else if (isLeft) keeper.unreportedAfter = this.delivery.listings(stream);
    }
  }

  #recordOf({ metadata, spec }: KubernetesObject): Record {
    const { cluster } = this;
    const owners = (cluster.labels.get(metadata.uid)?.owners ?? []).filter(
      (it) => (it.kind === 'Ordinal' || it.kind === 'VirtualMachine') && isWanted(cluster, it),
    );
    const keepers = new Map(this.#there.get(metadata.uid)?.keepers);
    for (const owner of owners) {
      const uid = uidOf(cluster, owner)!;
      if (!keepers.has(uid)) keepers.set(uid, { owner });
    }
    return {
      name: metadata.name,
      address: String((spec as { ipAddress?: string }).ipAddress),
      keepers,
      isReserved:
        (metadata['labels'] as { readonly [key: string]: string } | undefined)?.[
          'ovn.kubernetes.io/ip_reserved'
        ] === 'true',
    };
  }
}

const kindOf = ({ kind }: Owner): string => (kind === 'Ordinal' ? 'StatefulSet' : kind);

const uidOf = (cluster: Cluster, owner: Owner): string | undefined =>
  cluster.objects.get(kindOf(owner), owner.namespace, owner.name)?.metadata.uid;
