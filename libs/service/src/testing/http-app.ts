import { Module, type ModuleMetadata } from '@nestjs/common';
import { createHttpApp } from '../http/http-server';
import { openApiDocument } from '../http/openapi';
import { OpenApi } from '../http/openapi.controller';

export interface Answer {
  readonly status: number;
  /** JSON as it was parsed, any other text as it is. */
  readonly body: unknown;
}

/** Controllers behind HTTP on a free port. */
export interface TestedApp {
  ask(path: string, query?: Readonly<Record<string, string | number>>): Promise<Answer>;
  readonly document: object;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  close(): Promise<void>;
}

export async function startApp(metadata: ModuleMetadata): Promise<TestedApp> {
  @Module({ ...metadata, providers: [OpenApi, ...(metadata.providers ?? [])] })
  class TestedModule {}
  const app = await createHttpApp(TestedModule, () => undefined);
  const document = openApiDocument(app.nest, { title: 't', version: '1', description: 'd' });
  app.nest.get(OpenApi).document = document;
  const port = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    document,
    url: `http://127.0.0.1:${port}`,
    async ask(path, query = {}) {
      const url = new URL(`http://127.0.0.1:${port}${path}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      const response = await fetch(url, { headers: { connection: 'close' } });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
    },
    close: () => app.close(),
  };
}
