import { waitFor } from '../run/wait';
import type { Server } from '../run/server';
import type { Api } from './api';
import type { CustomResourceDefinition } from './objects';

/**
 * Waits until the server serves what the definitions define: a second or two after they were
 * created.
 */
export async function waitUntilServed(
  api: Api,
  definitions: readonly CustomResourceDefinition[],
  servers: readonly Server[],
): Promise<void> {
  for (const { spec } of definitions) {
    for (const version of spec.versions.filter(({ served }) => served)) {
      const path = `/apis/${spec.group}/${version.name}/${spec.names.plural}?limit=1`;
      await waitFor(() => api.get(path), {
        what: `the server to serve ${path}`,
        timeoutMs: 60_000,
        servers,
      });
    }
  }
}
