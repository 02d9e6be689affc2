import { Failure } from '@ovn-steward/shared/errors';
import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import type { Lane } from '@ovn-steward/shared/lane';
import { discoverPath, pathOf, whyNotServed } from '@ovn-steward/systems/kubernetes/discovery';
import type { KubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { KubeFailure } from '@ovn-steward/systems/kubernetes/kube-failure';
import { listPage } from '@ovn-steward/systems/kubernetes/list-page';
import { listPages, type Page } from '@ovn-steward/systems/kubernetes/list-pages';
import { openWatch } from '@ovn-steward/systems/kubernetes/open-watch';
import { readJson, TOO_LARGE } from '@ovn-steward/systems/kubernetes/read-json';
import type { Timing } from './timing';

export interface ServedKindOptions {
  readonly client: KubeClient;
  /** Shared by all reflectors of a server. */
  readonly permits: Lane;
  readonly timing: Timing;
}

/** The requests for one kind, at the path at which the API server serves it. */
export class ServedKind {
  readonly #kind: KubernetesKind;
  readonly #options: ServedKindOptions;
  #path: string;

  constructor(kind: KubernetesKind, options: ServedKindOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#path = pathOf(kind);
  }

  /** Only requesting and parsing holds a permit, not handing over. */
  pages(signal: AbortSignal): AsyncGenerator<Page> {
    const { client, permits, timing } = this.#options;
    return listPages(
      this.#kind,
      (query) =>
        permits.run(async () => {
          const answer = await readJson(client, `${this.#path}?${query}`, signal, timing.pageBytes);
          return answer === TOO_LARGE ? TOO_LARGE : listPage(answer, this.#kind);
        }),
      timing.pageSize,
    );
  }

  watch(from: string, signal: AbortSignal): ReturnType<typeof openWatch> {
    const { client, timing } = this.#options;
    return openWatch(
      { client, kind: this.#kind, path: this.#path, from, within: timing.watchSeconds },
      signal,
    );
  }

  /** Goes on with another version of the kind that is served; else says why there is none. */
  async findAnotherPath(signal: AbortSignal): Promise<Failure | undefined> {
    const { client, permits } = this.#options;
    try {
      const path = await permits.run(() => discoverPath(client, this.#kind, signal));
      if (path === undefined || path === this.#path)
        return new KubeFailure('source-not-served', await whyNotServed(client, this.#kind, signal));
      this.#path = path;
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }
}
