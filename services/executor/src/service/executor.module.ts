import { Module } from '@nestjs/common';
import { serviceMetadata } from '@ovn-steward/service/service.module';
import { ActionsController, LEDGER } from './actions.controller';
import { ExecutorService } from './executor.service';
import { ExecutorStatusController } from './executor-status.controller';
import { ProposalsController, PROPOSING } from './proposals.controller';

@Module(
  serviceMetadata(ExecutorService, {
    controllers: [ActionsController, ProposalsController, ExecutorStatusController],
    providers: [
      {
        provide: LEDGER,
        inject: [ExecutorService],
        useFactory: (executor: ExecutorService) => () => executor.ledger(),
      },
      { provide: PROPOSING, useExisting: ExecutorService },
    ],
  }),
)
export class ExecutorModule {}
