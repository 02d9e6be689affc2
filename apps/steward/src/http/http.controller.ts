import { Controller, Get, Header, HttpException, Inject, Param, Query } from '@nestjs/common';
import type { Answer, Answers } from './answers';

export const ANSWERS = Symbol('Answers');

/** Every route, by hand to the plain function that answers it. */
@Controller()
export class HttpController {
  constructor(@Inject(ANSWERS) private readonly answers: Answers) {}

  @Get('livez')
  livez(): object {
    return send(this.answers.livez());
  }

  @Get('readyz')
  readyz(): object {
    return send(this.answers.readyz());
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.answers.metrics();
  }

  @Get('findings')
  findings(@Query() query: unknown): object {
    return send(this.answers.findings(query));
  }

  @Get('findings/:id')
  finding(@Param('id') id: string): object {
    return send(this.answers.finding(id));
  }

  @Get('status')
  status(): object {
    return send(this.answers.status());
  }

  @Get('openapi.json')
  openApi(): object {
    return send(this.answers.openApi());
  }
}

function send({ status, body }: Answer): object {
  if (status !== 200) throw new HttpException(body, status);
  return body;
}
