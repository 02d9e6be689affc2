import { z } from 'zod';
import { ActionRecord } from './actions/action';
import { Mode } from '@ovn-steward/shared/mode';
import { AuditDocument, AuditSource } from './audit';
import { Change } from './changes/change';
import { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { Control, Scope } from './control/control';
import { DeadLetter } from './dead-letters/dead-letter';
import { FindingEvent } from './findings/finding-event';
import { Cause, Fact, Finding, Ownership, Remedy, Suppression, Unknown } from './findings/finding';
import { ActionsNotification } from './notifications/actions-notification';
import { Notification } from './notifications/notification';
import { Reference } from './identity/reference';
import { Selector } from './identity/selector';
import { SourceStatus } from './status/source-status';
import { withMeanings } from './meanings/with-meanings';
import { StoredLink, StoredRow, Undo } from './actions/undo';

interface Contract {
  readonly file: string;
  readonly title: string;
  readonly schema: z.ZodType;
}

/** Every document others may read, by the name of its published JSON Schema. */
const CONTRACTS: readonly Contract[] = [
  {
    file: 'change.v1.schema.json',
    title: 'A change of OVN or Kubernetes: one record of steward.changes.v1',
    schema: Change,
  },
  {
    file: 'finding.v1.schema.json',
    title: 'A finding: what is wrong, with whom, and the proof',
    schema: Finding,
  },
  {
    file: 'finding-event.v1.schema.json',
    title: 'A finding as a CloudEvent: one record of steward.findings.v1',
    schema: FindingEvent,
  },
  {
    file: 'control.v1.schema.json',
    title: 'What a person decided: one record of steward.control.v1',
    schema: Control,
  },
  {
    file: 'action.v1.schema.json',
    title: 'What is done about a finding, as it stands: one record of steward.actions.v1',
    schema: ActionRecord,
  },
  {
    file: 'dead-letter.v1.schema.json',
    title: 'A record that was set aside: one record of steward.dead-letter.v1',
    schema: DeadLetter,
  },
  {
    file: 'status.v1.schema.json',
    title: 'How far a source of a cluster is known: one record of steward.status.v1',
    schema: SourceStatus,
  },
  {
    file: 'notification.v1.schema.json',
    title: 'A notification: how the findings of one cause stand',
    schema: Notification,
  },
  {
    file: 'actions-notification.v1.schema.json',
    title: 'A notification: which actions of the executor came into a state',
    schema: ActionsNotification,
  },
  {
    file: 'audit.v1.schema.json',
    title: 'What an audit found, and what it could not know',
    schema: AuditDocument,
  },
];

const NAMED: Readonly<Record<string, z.ZodType>> = {
  AuditSource,
  Cause,
  ClusterIdentity,
  Fact,
  Finding,
  Mode,
  Ownership,
  Reference,
  Remedy,
  Scope,
  Selector,
  StoredLink,
  StoredRow,
  Suppression,
  Undo,
  Unknown,
};

type Json = z.core.JSONSchema.BaseSchema;

/** An enum may get further values within v1: the schema names the known ones and takes any. */
function openEnum(schema: Json): void {
  const known = schema.enum ?? [];
  delete schema.enum;
  schema.examples = known;
  const description = schema.description === undefined ? '' : `${schema.description} `;
  schema.description = `${description}Known values: ${known.join(', ')}. Others may be added: tolerate them.`;
}

/**
 * A union may get further members within v1: what has a known tag must match that member, other
 * tags are free.
 */
function openUnion(schema: Json, tag: string): void {
  const members = schema.oneOf ?? [];
  const known = members.flatMap((member) => {
    const property = typeof member === 'object' ? member.properties?.[tag] : undefined;
    return typeof property === 'object' && property.const !== undefined ? [property.const] : [];
  });
  const other: Json = {
    type: 'object',
    description: 'Added later: tolerate it.',
    properties: { [tag]: { type: 'string', not: { enum: known } } },
    required: [tag],
  };
  schema.oneOf = [...members, other as (typeof members)[number]];
}

/** What a field says of itself. */
const pick = ({ description, format }: z.core.GlobalMeta = {}): Partial<Json> => ({
  ...(description !== undefined && { description }),
  ...(typeof format === 'string' && { format }),
});

/**
 * The published JSON Schemas (draft 2020-12), by file name. For readers: unknown properties, enum
 * values and union members are allowed everywhere, so that a consumer written against v1 keeps
 * working when v1 grows.
 */
export function jsonSchemas(): { readonly file: string; readonly schema: object }[] {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) names.add(schema, { id });
  return CONTRACTS.map(({ file, title, schema }) => {
    const made = z.toJSONSchema(schema, {
      io: 'input', // the output side would forbid additional properties
      metadata: names,
      override: ({ zodSchema, jsonSchema }) => {
        const { def } = zodSchema._zod;
        Object.assign(jsonSchema, pick(z.globalRegistry.get(zodSchema)));
        if (def.type === 'enum') openEnum(jsonSchema);
        if (def.type === 'union' && 'discriminator' in def)
          openUnion(jsonSchema, String(def.discriminator));
      },
    });
    withMeanings(made, file.split('.')[0]!);
    const { $schema, ...rest } = made;
    return {
      file,
      schema: { $schema, $id: `https://ovn-steward.dev/schemas/${file}`, title, ...rest },
    };
  });
}
