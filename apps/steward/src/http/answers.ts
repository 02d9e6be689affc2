import type { Picture } from '@ovn-steward/analyzer';
import { auditDocument, sourcesOf } from '../audit-document';
import { safeText } from '../output/safe-text';
import { findingsPage } from './findings-page';
import type { Metrics } from './metrics';
import { openApiDocument } from './openapi';
import type { Expectation } from './readiness';
import { readinessOf } from './readiness';
import { FindingsQuery } from './schemas';
import type { Liveness, Problem, Readiness, Status } from './schemas';

export interface Answer {
  readonly status: 200 | 400 | 404 | 503;
  readonly body: object;
}

/** What the routes answer from. */
export interface Answering {
  readonly version: string;
  readonly cluster: string;
  readonly picture: () => Picture;
  readonly expected: Expectation;
  /** The sources' clock. */
  readonly clock: () => Date;
  readonly metrics: Pick<Metrics, 'text'>;
  readonly eventLoopDelay: () => ReadonlyMap<number, number>;
  /** What the pipeline failed with, once it did. */
  readonly failure: () => string | undefined;
}

export interface Answers {
  livez(): Answer;
  readyz(): Answer;
  metrics(): Promise<string>;
  findings(query: unknown): Answer;
  finding(id: string): Answer;
  status(): Answer;
  openApi(): Answer;
}

/** What each route says, as plain functions that change nothing. */
export function createAnswers(from: Answering): Answers {
  const readiness = (picture: Picture): Readiness =>
    readinessOf({ streams: picture.streams(), notInstalled: (kind) => picture.world.notInstalled(kind) }, from.expected, from.clock().getTime());
  return {
    livez() {
      const failure = from.failure();
      const body: Liveness = failure === undefined ? { status: 'alive' } : { status: 'failed', detail: safeText(failure, 500) };
      return { status: failure === undefined ? 200 : 503, body };
    },
    readyz() {
      const body = readiness(from.picture());
      return { status: body.ready ? 200 : 503, body };
    },
    metrics() {
      const picture = from.picture();
      return from.metrics.text({ picture, sources: sourcesOf(picture), ready: readiness(picture).ready, now: from.clock().getTime(), eventLoopDelay: from.eventLoopDelay() });
    },
    findings(query) {
      const read = FindingsQuery.safeParse(query);
      if (!read.success) return problem(400, 'Bad Request', read.error.issues.map((it) => [...it.path, it.message].join(': ')).join('; '));
      const picture = from.picture();
      return { status: 200, body: findingsPage(picture, read.data, readiness(picture).ready) };
    },
    finding(id) {
      const finding = from.picture().finding(id);
      return finding ? { status: 200, body: finding } : problem(404, 'Not Found', 'No finding has this id: it never had, or it was resolved more than 30 days ago');
    },
    status() {
      const picture = from.picture();
      const { sources, summary } = auditDocument(picture, from.cluster);
      const body: Status = { version: from.version, cluster: from.cluster, asOf: picture.now || null, ready: readiness(picture).ready, sources, summary };
      return { status: 200, body };
    },
    openApi: () => ({ status: 200, body: openApiDocument(from.version) }),
  };
}

function problem(status: 400 | 404, error: string, message: string): Answer {
  const body: Problem = { statusCode: status, error, message: safeText(message, 300) };
  return { status, body };
}
