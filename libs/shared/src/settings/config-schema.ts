import type { z } from 'zod';

/** One setting of a configuration schema. */
export interface Setting {
  /** Dotted: `grace.leak`. */
  readonly path: string;
  readonly secret: boolean;
  /** As a person would write it; undefined when there is none. */
  readonly default: unknown;
  /** How a text from the environment is to be read. */
  readonly kind: 'number' | 'boolean' | 'list' | 'map' | 'text';
}

/** A mapping of names to settings and to further sections. */
export interface SettingsSection {
  readonly children: ReadonlyMap<string, SettingsSection | Setting>;
}

export const isSection = (node: SettingsSection | Setting): node is SettingsSection =>
  'children' in node;

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly defaultValue?: unknown;
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

const KINDS: ReadonlyMap<string, Setting['kind']> = new Map([
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['array', 'list'],
  ['record', 'map'],
]);

interface Inner {
  readonly schema: z.ZodType;
  readonly secret: boolean;
  readonly default: unknown;
}

/**
 * What a schema takes as input, without its wrappers (optional, default, readonly, transform …).
 */
function inner(schema: z.ZodType, secret = false, byDefault: unknown = undefined): Inner {
  const definition = definitionOf(schema);
  const isSecret = secret || schema.meta()?.['secret'] === true;
  const value = byDefault ?? definition.defaultValue;
  const wrapped = definition.innerType ?? (definition.type === 'pipe' ? definition.in : undefined);
  return wrapped ? inner(wrapped, isSecret, value) : { schema, secret: isSecret, default: value };
}

/** The settings of a zod object schema, as a tree. Mark a secret with `.meta({ secret: true })`. */
export function sectionOf(schema: z.ZodType, path: readonly string[] = []): SettingsSection {
  const shape = definitionOf(inner(schema).schema).shape ?? {};
  const children = Object.entries(shape).map(
    ([name, child]): [string, SettingsSection | Setting] => {
      const { schema: input, secret, default: value } = inner(child);
      const { type } = definitionOf(input);
      const here = [...path, name];
      return [
        name,
        type === 'object'
          ? sectionOf(input, here)
          : { path: here.join('.'), secret, default: value, kind: KINDS.get(type) ?? 'text' },
      ];
    },
  );
  return { children: new Map(children) };
}

/** Every setting, in the order of the schema. */
export const settingsOf = (section: SettingsSection): Setting[] =>
  [...section.children.values()].flatMap((node) => (isSection(node) ? settingsOf(node) : [node]));

/**
 * The keys a schema knows at a place in its input, through lists too; empty where it takes no
 * mapping.
 */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const { shape, element } = definitionOf(inner(schema).schema);
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(shape ?? {});
  const next =
    typeof first === 'number'
      ? element
      : shape && Object.hasOwn(shape, first)
        ? shape[String(first)]
        : undefined;
  return next ? keysAt(next, rest) : [];
}
