import { Controller, Get, Injectable } from '@nestjs/common';
import { ApiAnswerOf, ApiSummary } from './api';

/**
 * The OpenAPI document of this application. `startHttp` fills it in once all controllers are known.
 */
@Injectable()
export class OpenApi {
  document: object = {};
}

@Controller()
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Get('openapi.json')
  @ApiSummary('This description, as OpenAPI 3.1.')
  @ApiAnswerOf(200, 'An OpenAPI document.', 'application/json')
  read(): object {
    return this.openApi.document;
  }
}
