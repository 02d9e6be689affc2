import { existsSync } from 'node:fs';
import { readDefinitionFiles } from '@ovn-steward/testbed/kubernetes/definition-files';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import type { Fixture } from '@ovn-steward/testbed/fixture';
import { newerOvnObstacle } from '@ovn-steward/testbed/provision/newer-ovn';

/**
 * What nobody may ship with this repository: Kube-OVN's own program, its definitions and its
 * rights.
 */
export interface Provided {
  /** Kube-OVN's controller, any release. */
  readonly binary: string;
  /** Its CustomResourceDefinitions. */
  readonly definitions: readonly KubernetesObject[];
}

const BINARY = 'STEWARD_TEST_KUBE_OVN';
const DEFINITIONS = 'STEWARD_TEST_KUBE_OVN_CRDS';
export const RELEASE = 'STEWARD_TEST_KUBE_OVN_RELEASE';

/**
 * The release that the controller is of, such as `v1.15.24`, as a person says; empty where nobody
 * does.
 */
export const releaseGiven = (): string => process.env[RELEASE] ?? '';

/** Kube-OVN's controller as a person gave it. It is never fetched or built here. */
export const kubeOvn: Fixture = {
  name: 'Kube-OVN',
  missing() {
    for (const [variable, what] of [
      [BINARY, "Kube-OVN's controller (go build ./cmd/controller in its repository)"],
      [DEFINITIONS, 'its definitions, a YAML file or a folder of them (charts/*/crds)'],
    ] as const) {
      const path = process.env[variable] ?? '';
      if (path === '') return `set ${variable} to the path of ${what}`;
      if (!existsSync(path)) return `${variable} names ${path}, which is not there`;
    }
    return newerOvnObstacle();
  },
};

/** @throws Error with what to set, when something is missing. */
export function provided(): Provided {
  const missing = kubeOvn.missing();
  if (missing !== undefined) throw new Error(missing);
  return {
    binary: process.env[BINARY]!,
    definitions: readDefinitionFiles(process.env[DEFINITIONS]!),
  };
}
