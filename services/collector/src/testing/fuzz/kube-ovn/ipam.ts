import type { Cluster } from '../cluster';

/** Of how many addresses a subnet has more than the gateway's. */
const POOL = 60;

/** Who has which address, in the controller's memory alone (kube-ovn.md §6.1). */
export class Ipam {
  /** `<subnet> <address>` → the name of the port. */
  readonly #taken = new Map<string, string>();

  clear(): void {
    this.#taken.clear();
  }

  take(subnet: string, address: string, port: string): void {
    this.#taken.set(`${subnet} ${address}`, port);
  }

  /** Whether nobody else has it; then it is the port's. */
  takeFree(subnet: string, address: string, port: string): boolean {
    const key = `${subnet} ${address}`;
    if ((this.#taken.get(key) ?? port) !== port) return false;
    this.#taken.set(key, port);
    return true;
  }

  release(port: string): void {
    for (const [key, holder] of this.#taken) if (holder === port) this.#taken.delete(key);
  }

  /** What the port has, or a free one from now on; undefined when the subnet is full. */
  allocate(subnet: string, port: string): string | undefined {
    for (const [key, holder] of this.#taken)
      if (holder === port && key.startsWith(`${subnet} `)) return key.slice(subnet.length + 1);
    for (let n = 2; n < POOL; n += 1) {
      const address = addressIn(subnet, n);
      if (this.#taken.has(`${subnet} ${address}`)) continue;
      this.take(subnet, address, port);
      return address;
    }
    return undefined;
  }
}

/** Every subnet of a history with its block. */
export const BLOCKS: Readonly<Record<string, string>> = {
  'ovn-default': '10.16.0',
  join: '100.64.0',
  apps: '10.17.0',
  data: '10.18.0',
  lan: '10.19.0',
  spare: '10.20.0',
  'tenant-a': '10.30.0',
  guest: '10.31.0',
};

export const addressIn = (subnet: string, n: number): string => `${BLOCKS[subnet]}.${n}`;

/** As Kube-OVN draws it. */
export const macOf = ({ random }: Cluster): string =>
  `0a:${Array.from({ length: 5 }, () => random.int(256).toString(16).padStart(2, '0')).join(':')}`;
