import { Module } from '@nestjs/common';
import { serviceMetadata } from '@ovn-steward/service/service.module';
import { CollectorService } from './collector.service';
import { CollectorStatusController } from './collector-status.controller';

@Module(serviceMetadata(CollectorService, { controllers: [CollectorStatusController] }))
export class CollectorModule {}
