import { Settings } from '@ovn-steward/shared/settings/settings';
import { z } from 'zod';

/**
 * Settings that the chart makes of other values, since they are places in the container, or come
 * from Secrets. Not settable by `settings`: one that was set there would lead away from what is
 * mounted.
 */
export const SET_BY_CHART: readonly string[] = [
  'stateDir',
  'http.listen',
  'http.probes',
  'http.metrics',
  'http.tls',
  'http.auth.oidc.caCertificate',
  'http.decisions',
  'kubernetes',
  'ovnNb.privateKey',
  'ovnNb.certificate',
  'ovnNb.caCertificate',
  'ovnSb.privateKey',
  'ovnSb.certificate',
  'ovnSb.caCertificate',
  'kafka.tls',
  'kafka.sasl.mechanism',
  'kafka.sasl.username',
  'kafka.sasl.password',
  'kafka.sasl.passwordFile',
  'signing.keyFile',
  'signing.trustedKeys',
  'backup.folder',
];

const shapeOf = (schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined => {
  const { type, innerType, shape } = schema.def as unknown as {
    type: string;
    innerType?: z.ZodType;
    shape?: Readonly<Record<string, z.ZodType>>;
  };
  return type === 'object' ? shape : innerType && shapeOf(innerType);
};

/**
 * The schema of settings without those of the chart. What must hold between several settings is
 * asked when a process starts.
 */
function without(schema: z.ZodType, path: string): z.ZodType {
  const shape = shapeOf(schema);
  if (shape === undefined) return schema;
  const kept = Object.entries(shape)
    .map(([name, child]): [string, string, z.ZodType] => [name, `${path}${name}`, child])
    .filter(([, here]) => !SET_BY_CHART.includes(here))
    .map(([name, here, child]): [string, z.ZodType] => [
      name,
      without(child, `${here}.`).optional(),
    ]);
  return z.strictObject(Object.fromEntries(kept));
}

/** The value `settings` of the chart. */
export const ChartSettings = without(Settings, '') as z.ZodType<object>;
