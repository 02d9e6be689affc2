import { AuditSource } from '@ovn-steward/contracts/audit';
import { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import { Reference } from '@ovn-steward/contracts/identity/reference';
import { problem } from '@ovn-steward/service/http/problem';
import { BAD_QUERY, route } from '@ovn-steward/service/http/route';
import type { Route } from '@ovn-steward/service/http/route';
import { type ClusterView, findingsPage } from './findings-page';
import { FindingsPage, FindingsQuery } from './schemas';

/** What the routes below answer with, by name. */
export const FINDINGS_SCHEMAS = { AuditSource, Finding, FindingsPage, Reference, Unknown };

/** The routes that show findings, of one cluster or of several. `views`: what is known at this moment. */
export const findingsRoutes = (views: () => readonly ClusterView[]): readonly Route[] => [
  route({
    path: '/findings',
    says: 'A page of the findings that match, in the order of their ids.',
    query: FindingsQuery,
    responses: { 200: { says: 'A page.', schema: 'FindingsPage' }, 400: BAD_QUERY },
    answer: ({ query }) => ({ status: 200, body: findingsPage(views(), query) }),
  }),
  route({
    path: '/findings/{id}',
    says: 'One finding in its newest revision, resolved or not.',
    pathParameters: { id: 'The whole id.' },
    responses: {
      200: { says: 'The finding.', schema: 'Finding' },
      404: { says: 'No finding has this id.', schema: 'Problem' },
    },
    answer({ path }) {
      const id = path['id'] ?? '';
      const finding = views()
        .map((it) => it.picture.finding(id))
        .find((it) => it !== undefined);
      return finding
        ? { status: 200, body: finding }
        : problem(
            404,
            'No finding has this id: it never had, or it was resolved more than 30 days ago',
          );
    },
  }),
];
