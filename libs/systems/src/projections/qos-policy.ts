import { kubernetesObject } from './metadata';
import { anything, flag, list, open, record, text } from './shape';

const fields = { bandwidthLimitRules: list(anything), shared: flag, bindingType: text };

/** kube-ovn.md §1, QoSPolicy: the status mirrors the spec. */
export const qosPolicy = kubernetesObject({ spec: open(fields), status: record(fields) });
