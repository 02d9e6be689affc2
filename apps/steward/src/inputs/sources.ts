import {
  formsOf,
  type Source,
  type SourceRequest,
  sourceTypeOf,
  type Where,
} from '@ovn-steward/collector';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { InputOptions } from './options';

export interface Inputs {
  readonly sources: readonly Source[];
  /** Every stream that will say whether it is complete. */
  readonly streams: readonly string[];
  /** The last interruption of a stream or database, in one sentence. */
  readonly trouble: ReadonlyMap<string, string>;
  /** Whether any of them is a living system rather than a recording. */
  readonly live: boolean;
}

interface Input {
  readonly isLive: boolean;
  readonly source: Source;
}

/** Long enough for a leader change, short enough for a person who mistyped an address. */
const UNREACHABLE_AFTER_MS = 10_000;

/**
 * How long a database may not answer a command that reads once, in milliseconds.
 * @param timeout how long the command waits for all of it, in seconds.
 */
export const unreachableAfter = (timeout: number): number =>
  Math.min(UNREACHABLE_AFTER_MS, timeout * 500);

/** Of recordings, `final` is the default. */
export type InputPreferences = Partial<
  Pick<SourceRequest, 'replay' | 'unreachableAfterMs' | 'report'>
>;

/**
 * The sources a command reads, from its flags and the settings.
 * @throws Failure when one is missing or not what it should be.
 */
export function inputsFrom(
  options: InputOptions,
  settings: Settings,
  { replay = 'final', unreachableAfterMs, report }: InputPreferences = {},
): Inputs {
  const nb = options.ovnNb ?? settings.ovnNb.remote;
  const sb = options.ovnSb ?? settings.ovnSb.remote;
  if (nb === undefined)
    throw new Failure(
      'config-invalid',
      `No Northbound database is named: give --ovn-nb ${formsOf('ovn-nb')}`,
    );
  const trouble = new Map<string, string>();
  const request = {
    settings,
    replay,
    ...(unreachableAfterMs === undefined ? {} : { unreachableAfterMs }),
    report: (source: string, message: string) => {
      trouble.set(source, message);
      report?.(source, message);
    },
  };
  const input = <S extends SourceId>(system: S, where: Where<S>): Input => {
    const type = sourceTypeOf(system, where);
    return { isLive: type.isLive, source: type.open({ ...request, system, where }) };
  };
  const kubernetes = input('kubernetes', options.kubernetes ?? settings.kubernetes.kubeconfig);
  // Somebody expects the cluster of that name.
  if (options.context !== undefined && !kubernetes.isLive)
    throw new Failure(
      'config-invalid',
      `--context ${options.context} chooses from a kubeconfig, and ${options.kubernetes ?? settings.kubernetes.kubeconfig} is a recording: leave out --context, or give --kubernetes a kubeconfig.`,
    );
  const databases = [input('ovn-nb', nb), ...(sb === undefined ? [] : [input('ovn-sb', sb)])];
  if (!databases.some((it) => it.isLive)) refuseCertificates(options, nb);
  const inputs = [...databases, kubernetes];
  return {
    trouble,
    sources: inputs.map((it) => it.source),
    streams: inputs.flatMap((it) => it.source.streams),
    live: inputs.some((it) => it.isLive),
  };
}

/**
 * Options of TLS beside a file: whoever gave them expects a server.
 * @throws Failure `config-invalid`.
 */
function refuseCertificates({ ovnCa, ovnCert, ovnKey }: InputOptions, file: string): void {
  const given = Object.entries({ '--ovn-ca': ovnCa, '--ovn-cert': ovnCert, '--ovn-key': ovnKey })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`);
  if (given.length > 0)
    throw new Failure(
      'config-invalid',
      `${given.join(', ')}: this is for a database server, and ${file} is a file. Leave it out, or give --ovn-nb or --ovn-sb a server.`,
    );
}
