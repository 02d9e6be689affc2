import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
} from '@nestjs/common';
import type { Route } from './http/route';
import { controllerOf } from './http/routes.controller';
import type { Work } from './work';

const WORK = Symbol('Work');

/** Ends the work when the application is closed. Nest calls this hook before it closes HTTP, which answers to the last. */
@Injectable()
class WorkEnding implements BeforeApplicationShutdown {
  constructor(@Inject(WORK) private readonly work: Work) {}

  async beforeApplicationShutdown(): Promise<void> {
    // What ending failed with is heard of by whoever started the work.
    await this.work.end().catch(() => undefined);
  }
}

@Module({})
class ServiceModule {}

/** A service as a Nest module: its routes, and its work. */
export const serviceModule = (routes: readonly Route[], work: Work): DynamicModule => ({
  module: ServiceModule,
  controllers: [controllerOf(routes)],
  providers: [{ provide: WORK, useValue: work }, WorkEnding],
});
