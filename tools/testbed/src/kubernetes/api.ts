import { Agent } from 'node:https';
import { requestJson } from './http';
import { describeObject, groupOf, type KubernetesObject } from './objects';

/** How to reach an API server and who asks. PEM texts. */
export interface ApiAccess {
  readonly url: string;
  readonly ca?: string;
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A plain client of the Kubernetes API. */
export interface Api {
  get(path: string): Promise<unknown>;
  send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /**
   * The path of the object, and of the collection it belongs to, as the server's discovery says.
   */
  paths(
    object: KubernetesObject,
  ): Promise<{ readonly collection: string; readonly object: string }>;
  close(): void;
}

export function makeApi({ url, ca, token, certificate, key }: ApiAccess): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca, cert: certificate, key });
  const options = {
    agent,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
  const get = (path: string): Promise<unknown> => requestJson(url + path, 'GET', options);
  const known = new Map<string, ApiResource>();
  const resourceOf = async (object: KubernetesObject): Promise<ApiResource> => {
    const id = `${object.apiVersion}/${object.kind}`;
    if (!known.has(id)) {
      const { resources } = (await get(versionPath(object.apiVersion))) as {
        resources: readonly ApiResource[];
      };
      for (const resource of resources)
        if (!resource.name.includes('/'))
          known.set(`${object.apiVersion}/${resource.kind}`, resource);
    }
    const resource = known.get(id);
    if (resource === undefined)
      throw new Error(
        `the server does not serve ${object.apiVersion} ${object.kind}, needed for ${describeObject(object)}`,
      );
    return resource;
  };
  return {
    get,
    send: (method, path, body) => requestJson(url + path, method, options, body),
    paths: async (object) => {
      const { name, namespaced } = await resourceOf(object);
      const namespace = namespaced ? `/namespaces/${object.metadata.namespace ?? 'default'}` : '';
      const collection = `${versionPath(object.apiVersion)}${namespace}/${name}`;
      return { collection, object: `${collection}/${object.metadata.name}` };
    },
    close: () => agent.destroy(),
  };
}

const versionPath = (apiVersion: string): string =>
  groupOf(apiVersion) === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
