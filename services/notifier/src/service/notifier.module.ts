import { Module } from '@nestjs/common';
import { serviceMetadata } from '@ovn-steward/service/service.module';
import { NotifierService } from './notifier.service';
import { NotifierStatusController } from './notifier-status.controller';

@Module(serviceMetadata(NotifierService, { controllers: [NotifierStatusController] }))
export class NotifierModule {}
