import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readDockerfile } from './dockerfile';
import { contextFilter } from './dockerignore';

export const ROOT = join(__dirname, '..', '..');

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const STAGES = readDockerfile(textOf('deploy/docker/Dockerfile'));
export const inContext = contextFilter(textOf('.dockerignore'));

/** The folders of our packages, as the lockfile links them. */
export const WORKSPACES = Object.entries(
  (
    JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { link?: boolean; resolved?: string }>;
    }
  ).packages,
).flatMap(([, it]) => (it.link && it.resolved ? [it.resolved] : []));

/** As Compose reads it: merged, `${NAME:-default}` by its default. */
export interface ComposeService {
  readonly image: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly target: string;
  };
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, object>>;
}

const interpolated = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

export const readCompose = (text: string): ComposeFile =>
  parse(interpolated(text), { merge: true }) as ComposeFile;
