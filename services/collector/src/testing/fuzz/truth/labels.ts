/** Who keeps a thing alive while they are there. */
export type Owner =
  | { readonly kind: string; readonly namespace?: string; readonly name: string }
  /** A StatefulSet, while the ordinal is within its replicas. */
  | {
      readonly kind: 'Ordinal';
      readonly namespace: string;
      readonly name: string;
      readonly ordinal: number;
    };

/** What a row or object was made for, written down by whoever made it. */
export interface Label {
  readonly kind: string;
  readonly uid: string;
  readonly name: string;
  readonly by: 'kube-ovn' | 'others';
  /** Any of them keeps it. */
  readonly owners: readonly Owner[];
  /** `<subnet> <address>`, where it holds some. */
  readonly addresses: readonly string[];
}

/**
 * For whom each thing was made, by uid. Kept after the thing is gone: a reader may still be behind.
 */
export class Labels {
  readonly #all = new Map<string, Label>();

  set(label: Label): void {
    this.#all.set(label.uid, label);
  }

  get(uid: string): Label | undefined {
    return this.#all.get(uid);
  }

  drop(uid: string): void {
    this.#all.delete(uid);
  }

  values(): IterableIterator<Label> {
    return this.#all.values();
  }
}
