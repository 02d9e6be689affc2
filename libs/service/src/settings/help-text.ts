import { type Setting, sectionOf, settingsOf } from '@ovn-steward/shared/settings/config-schema';
import { FILE_VARIABLE, variableOf } from '@ovn-steward/shared/settings/config-sources';
import { meaningOf } from '@ovn-steward/shared/settings/setting-meanings';
import { Settings } from '@ovn-steward/shared/settings/settings';
import type { ServiceIdentity } from './identity';

/**
 * What `--help` prints: every setting with its default, its environment variable and what it means.
 */
export const helpText = ({
  command,
  version,
  description,
  listen,
}: ServiceIdentity): string => `${command} ${version}: ${description}

Usage: ${command} [--config <file>] [--<setting> <value>]...

  --config <file>   settings as YAML or JSON; also ${FILE_VARIABLE}
  --openapi         print the description of what it serves over HTTP, and end
  --version         print the version and end
  --help            print this and end

It ends with exit code 0 when it was told to stop (SIGTERM, SIGINT), and with 1 and a sentence when trying again cannot help.

Settings, each also a variable of the environment and a key of the file:

${settingsOf(sectionOf(Settings))
  .map((it) => row(it.path === 'http.listen' ? { ...it, default: listen } : it))
  .join('\n')}
`;

const row = ({ path, default: value }: Setting): string =>
  `  --${path}${value === undefined ? '' : ` (${typeof value === 'string' ? value : JSON.stringify(value)})`}\n      ${meaningOf(path).replaceAll('`', '')}\n      ${variableOf(path)}`;
