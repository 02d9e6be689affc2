import type { IncomingMessage } from 'node:http';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  type HttpException,
  Inject,
  Optional,
  Param,
  Post,
  Req,
} from '@nestjs/common';
import { Control } from '@ovn-steward/contracts/control/control';
import { accessProblem } from '@ovn-steward/service/access/access-problem';
import { addressOfCaller, callerOf } from '@ovn-steward/service/access/caller';
import { AllowedTo } from '@ovn-steward/service/http/route-access';
import {
  ApiAnswer,
  ApiBodyOf,
  ApiPathParameter,
  ApiSchemas,
  ApiSummary,
} from '@ovn-steward/service/http/api';
import { problem } from '@ovn-steward/service/http/problem';
import type { Access, Caller } from '@ovn-steward/shared/access';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { z } from 'zod';
import { StandingDecisions } from '../control/standing-decisions';
import { DecisionRequest } from './decision-request';
import type { Decisions } from './decisions';

/** What takes decisions down: `() => Decisions | undefined`, nothing while it cannot. */
export const DECISIONS = Symbol('DECISIONS');
/** Who may do what: `Access`; nothing where no one has to prove anything. */
export const DECIDERS = Symbol('DECIDERS');

const WITHIN_MS = 15_000;

const Listening = z.object({ executor: z.string(), at: z.string() });

export const HeardDecision = z.object({
  all: z.boolean().describe('Whether the executor that acts respects it.'),
  counts: z
    .boolean()
    .describe(
      'Whether it is what counts of its scope or selector: somebody may have decided otherwise since.',
    ),
  heard: z.array(Listening),
  unheard: z.array(Listening.extend({ replaced: z.boolean() })),
});
export type HeardDecision = z.infer<typeof HeardDecision>;

/** What people decide, and who heard it. */
@Controller('decisions')
@ApiSchemas({ Control, DecisionRequest, HeardDecision, StandingDecisions })
export class DecisionsController {
  constructor(
    @Inject(DECISIONS) private readonly decisions: () => Decisions | undefined,
    @Optional() @Inject(DECIDERS) private readonly access: Access | undefined,
  ) {}

  @Post()
  @HttpCode(202)
  @AllowedTo('decide')
  @ApiSummary(
    'Decides: hold, resume, approve, withdraw, undo, suppress, unsuppress, protect, unprotect or give-up. Each is a right of its own.',
  )
  @ApiBodyOf('DecisionRequest')
  @ApiAnswer(202, 'It is published, as it stands in the answer.', 'Control')
  @ApiAnswer(400, 'It is none of these decisions, or nothing could come of it.', 'Problem')
  @ApiAnswer(401, 'Its sender is not authenticated.', 'Problem')
  @ApiAnswer(403, 'The right is missing, or deciding over HTTP is off.', 'Problem')
  @ApiAnswer(404, 'What it is about is not known here.', 'Problem')
  @ApiAnswer(413, 'It is longer than 64 KiB.', 'Problem')
  @ApiAnswer(415, 'It is not JSON.', 'Problem')
  @ApiAnswer(503, 'It could not be published, or who may do it is not known.', 'Problem')
  async decide(@Req() request: IncomingMessage, @Body() body: unknown): Promise<Control> {
    const { access, caller } = this.decider(request);
    if (!/^application\/json(?:\s*;|$)/i.test(request.headers['content-type'] ?? ''))
      throw problem(415, 'Send JSON, with Content-Type: application/json.');
    const read = DecisionRequest.safeParse(body);
    if (!read.success)
      throw problem(
        400,
        read.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '),
      );
    const decisions = this.open();
    try {
      await access.authorize(caller, read.data.type, decisions.cluster, timeLimit(WITHIN_MS));
    } catch (error) {
      throw accessProblem(error);
    }
    const { user, method, issuer } = caller;
    return decisions
      .decide(read.data, {
        user,
        method,
        ...(issuer !== undefined && { issuer }),
        from: addressOfCaller(request),
      })
      .catch((error: unknown) => {
        throw decisionProblem(error);
      });
  }

  @Get()
  @ApiSummary('What is held, suppressed or protected now.')
  @ApiAnswer(200, 'As it stands.', 'StandingDecisions')
  @ApiAnswer(503, 'What was decided cannot be read.', 'Problem')
  async standing(): Promise<StandingDecisions> {
    return this.open()
      .standing()
      .catch((error: unknown) => {
        throw problem(503, messageOf(error));
      });
  }

  @Get(':id/heard')
  @ApiSummary('Who acknowledged a hold, suppression or protection, or the end of one.')
  @ApiPathParameter('id', 'Of the decision.')
  @ApiAnswer(200, 'Who said so.', 'HeardDecision')
  @ApiAnswer(503, 'What was decided cannot be read.', 'Problem')
  async heard(@Param('id') id: string): Promise<HeardDecision> {
    const { all, counts, heard, unheard } = await this.open()
      .heard(id)
      .catch((error: unknown) => {
        throw problem(503, messageOf(error));
      });
    return { all, counts, heard: [...heard], unheard: [...unheard] };
  }

  private decider(request: IncomingMessage): { access: Access; caller: Caller } {
    const caller = callerOf(request);
    if (this.access === undefined || caller === undefined)
      throw problem(403, 'There are no decisions over HTTP here: http.auth.by is off.');
    return { access: this.access, caller };
  }

  private open(): Decisions {
    const decisions = this.decisions();
    if (decisions === undefined)
      throw problem(
        503,
        'Nothing can be decided here: the executor has not opened its memory yet, acts for no cluster, or on Kafka has no http.decisions.keyFile',
      );
    return decisions;
  }
}

function decisionProblem(error: unknown): HttpException {
  const code = error instanceof Failure ? error.code : undefined;
  if (code === 'input-not-found') return problem(404, messageOf(error));
  if (code === 'config-invalid') return problem(400, messageOf(error));
  return problem(503, messageOf(error));
}
