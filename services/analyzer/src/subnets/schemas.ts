import { IN_PAGES, OF_CLUSTER, PAGE } from '@ovn-steward/service/http/page';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { z } from 'zod';
import { Time } from '../report/schemas';

const Figure = z
  .string()
  .nullable()
  .describe(
    'In decimal: an IPv6 subnet has more addresses than a JSON number can say. Null: not known.',
  );

const Family = z.enum(['v4', 'v6']);

const NamedThing = z.object({
  name: z.string(),
  presence: z.enum(['present', 'absent', 'unknown']),
});

/** When addresses run out. */
const ExhaustionReport = z
  .discriminatedUnion('is', [
    z.object({ is: z.literal('unknown'), reason: z.string() }),
    z.object({ is: z.literal('full') }),
    z.object({ is: z.literal('none-in-sight') }),
    z.object({
      is: z.literal('growing'),
      taken: z.number(),
      windowSeconds: z.number(),
      fullInSeconds: z.number(),
    }),
  ])
  .describe(
    'When the addresses run out, if they are taken as in the window and none is given back.',
  );

/** One subnet, as `steward subnets --output json` has it. */
const SubnetReport = z.object({
  name: z.string(),
  vpc: z.string(),
  cidr: z.string(),
  gateway: z.string(),
  activeGateway: z
    .string()
    .nullable()
    .describe(
      'The node its traffic leaves by; empty: none. Null where it does not leave by one node.',
    ),
  ready: z.boolean().nullable(),
  validated: z.boolean().nullable(),
  terminatingSince: z.string().nullable(),
  namespaces: z.object({
    named: z.array(z.string()).describe('By its spec.'),
    annotated: z.array(z.string()).nullable().describe('By the annotations of Namespaces.'),
  }),
  vlan: NamedThing.nullable(),
  providerNetwork: NamedThing.nullable(),
  addresses: z.array(
    z.object({
      family: Family,
      used: Figure.describe('In use, as the status says.'),
      counted: Figure.describe('Held in truth, as the controller counts.'),
      held: Figure.describe('Distinct addresses of this family that are held.'),
      available: Figure.describe('Free, as the status says.'),
      free: Figure.describe('Free in truth.'),
    }),
  ),
  exhaustion: ExhaustionReport,
  findings: z.array(
    Finding.pick({
      id: true,
      rule: true,
      class: true,
      severity: true,
      state: true,
      firstSeen: true,
      summary: true,
    }),
  ),
});

const Outlook = z.object({
  subnets: z.number().int().nonnegative(),
  addresses: z.array(z.object({ family: Family, held: Figure, free: Figure })),
  exhaustion: ExhaustionReport,
  first: z.object({ subnet: z.string(), fullInSeconds: z.number() }).nullable(),
});

const NAME = z.string().min(1).max(253);

/** The query of `GET /subnets`. */
export const SubnetsQuery = z.strictObject({
  ...OF_CLUSTER,
  limit: IN_PAGES.limit,
  after: NAME.optional().describe('Only names behind this one: the `next` of the answer before.'),
});
export type SubnetsQuery = z.infer<typeof SubnetsQuery>;

/** A page of the subnets of one cluster, with the sums of all of them. */
export const SubnetsPage = z.object({
  cluster: z.string(),
  asOf: Time,
  complete: z.boolean().describe('Whether every Subnet is known.'),
  total: PAGE.total,
  subnets: z.array(SubnetReport).describe('In the order of their names.'),
  next: PAGE.next,
  vpcs: z.array(Outlook.extend({ vpc: z.string() })).describe('The sums of each VPC.'),
  all: Outlook.describe('The sums of the cluster.'),
});
export type SubnetsPage = z.infer<typeof SubnetsPage>;

/** The query of `GET /subnets/{name}/addresses`. */
export const SubnetAddressesQuery = z.strictObject({ ...OF_CLUSTER });

/** Who holds which address of one subnet. */
export const SubnetAddresses = z.object({
  subnet: z.string(),
  addresses: z
    .array(
      z.object({
        address: z.string(),
        family: Family,
        records: z.array(
          z.object({
            kind: z.string(),
            name: z.string(),
            of: z.string().describe('For whom it is; empty where it does not say.'),
            terminating: z.boolean(),
          }),
        ),
        holders: z.number().int().nonnegative(),
        inIpam: z.boolean().nullable().describe('As the status says; null where it does not.'),
      }),
    )
    .nullable()
    .describe('Null while not all kinds of records are known.'),
});
export type SubnetAddresses = z.infer<typeof SubnetAddresses>;
