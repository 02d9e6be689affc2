import { kubernetesObject, templateMetadata } from './metadata';
import { flag, list, open, record, text } from './shape';

const networks = list(open({ name: text, multus: open({ networkName: text, default: flag }) }));

/**
 * A VM keeps its addresses while it exists, whatever its run strategy (kube-ovn.md §9). The
 * template may be missing.
 */
export const virtualMachine = kubernetesObject({
  spec: record({
    runStrategy: text,
    running: flag,
    template: record({ metadata: templateMetadata, spec: record({ networks }) }),
  }),
});

/** While one is under way, the machine's ports are of two chassis (kube-ovn.md §3.1). */
export const virtualMachineInstanceMigration = kubernetesObject({
  spec: record({ vmiName: text }),
  status: record({ phase: text }),
});

export const virtualMachineInstance = kubernetesObject({
  spec: record({ networks }),
  status: record({ nodeName: text, phase: text }),
});
