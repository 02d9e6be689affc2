import { isRecord } from './is-record';
import type { KubernetesObject } from './kubernetes';

export const annotationsOf = ({
  metadata,
}: Pick<KubernetesObject, 'metadata'>): Readonly<Record<string, unknown>> =>
  isRecord(metadata['annotations']) ? metadata['annotations'] : {};

export const finalizersOf = ({ metadata }: Pick<KubernetesObject, 'metadata'>): readonly string[] =>
  metadata.finalizers ?? [];

/** A step of a JSON Pointer (RFC 6901 section 3). */
export const pointerStep = (key: string): string => key.replace(/~/g, '~0').replace(/\//g, '~1');
