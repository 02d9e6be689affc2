import { z } from 'zod';

/**
 * A value with its default and what it means; both are shown in values.yaml, in the schema and on
 * the page of values.
 */
export const chartValue = <T extends z.ZodType>(
  schema: T,
  byDefault: z.input<T>,
  description: string,
) => schema.default(byDefault as never).meta({ description: description });

export const section = <T extends z.ZodRawShape>(shape: T, description: string) =>
  z.strictObject(shape).optional().meta({ description: description });

export const Text = z.string();
export const Flag = z.boolean();
export const Labels = z.record(z.string(), z.string());
/** What Kubernetes defines and the API server checks. */
export const KubernetesObjects = z.array(z.looseObject({}));
export const AnyObject = z.looseObject({});
export const Size = z
  .string()
  .regex(/^[1-9][0-9]*(?:Ki|Mi|Gi|Ti)$/, 'not a size: write a number with Ki, Mi, Gi or Ti');
export const Port = z.int().min(1).max(65535);
export const Name = z.string().max(253);
