import { Module } from '@nestjs/common';
import { SHELL, type Shell } from '@ovn-steward/service/work/service';
import { serviceMetadata } from '@ovn-steward/service/service.module';
import { DECIDERS, DECISIONS, DecisionsController } from '../decide/decisions.controller';
import { ActionsController, LEDGER } from './actions.controller';
import { ExecutorService } from './executor.service';
import { ExecutorStatusController } from './executor-status.controller';
import { ProposalsController, PROPOSING } from './proposals.controller';

@Module(
  serviceMetadata(ExecutorService, {
    controllers: [
      ActionsController,
      ProposalsController,
      DecisionsController,
      ExecutorStatusController,
    ],
    providers: [
      {
        provide: LEDGER,
        inject: [ExecutorService],
        useFactory: (executor: ExecutorService) => () => executor.ledger(),
      },
      {
        provide: DECISIONS,
        inject: [ExecutorService],
        useFactory: (executor: ExecutorService) => () => executor.decisions(),
      },
      { provide: DECIDERS, inject: [SHELL], useFactory: ({ access }: Shell) => access },
      { provide: PROPOSING, useExisting: ExecutorService },
    ],
  }),
)
export class ExecutorModule {}
