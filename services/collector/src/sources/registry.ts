import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { kubernetesServer } from './kubernetes/kubernetes-server.source';
import { ovnFile } from './ovn/ovn-file.source';
import { ovnServers } from './ovn/ovn-servers.source';
import { recordedKubernetes } from './recording/recorded-kubernetes.source';
import type { SourceType } from '../source-kit/source-type';

/**
 * How each system can be observed. The first type that accepts what is named is taken; where none
 * does, the last one.
 */
export const SOURCE_TYPES: { readonly [S in SourceId]: readonly SourceType<S>[] } = {
  'ovn-nb': [ovnServers, ovnFile],
  'ovn-sb': [ovnServers, ovnFile],
  kubernetes: [kubernetesServer, recordedKubernetes],
};
