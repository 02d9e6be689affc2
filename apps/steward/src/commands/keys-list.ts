import type { Command } from 'commander';
import { Failure } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { TrustedKey } from '@ovn-steward/shared/signing/trusted-key';
import { readTrustedKeys } from '@ovn-steward/shared/signing/trusted-keys';
import { EXIT } from '../process/exit-codes';
import { settingsFrom } from '../inputs/settings';

/** `steward keys list`: which signers a folder of keys trusts, and for what. */
export function keysList(keys: Command, done: (code: number) => void): void {
  keys
    .command('list')
    .description('show which keys are trusted, and for what')
    .option('--trusted <folder>', 'the folder; signing.trustedKeys by default')
    .option('--config <file>', 'settings as YAML or JSON; see steward config')
    .action(
      ({ trusted, config: file }: { readonly trusted?: string; readonly config?: string }) => {
        const { config } = settingsFrom(file === undefined ? {} : { config: file });
        const folder = trusted ?? config.signing.trustedKeys;
        if (folder === undefined)
          throw new Failure(
            'config-invalid',
            'No folder of trusted keys is known: name it with --trusted, or set signing.trustedKeys.',
          );
        const keys = [
          ...readTrustedKeys(folder, trusted === undefined ? undefined : '--trusted').values(),
        ];
        for (const trustedKey of keys) process.stdout.write(`${lineOf(trustedKey)}\n`);
        if (keys.length === 0)
          process.stderr.write(
            `${folder} holds no key (*.json), so nobody is trusted. Make one: steward keys generate.\n`,
          );
        done(EXIT.nothingFound);
      },
    );
}

function lineOf({ signer, notBefore, notAfter }: TrustedKey): string {
  const { keyId, role, name, clusters, decisions } = signer;
  const limits = [
    ...(clusters === undefined ? [] : [`clusters ${clusters.join(', ')}`]),
    ...(decisions === undefined ? [] : [`decisions ${decisions.join(', ')}`]),
    ...(notBefore === -Infinity ? [] : [`from ${new Date(notBefore).toISOString()}`]),
    ...(notAfter === Infinity ? [] : [`until ${new Date(notAfter).toISOString()}`]),
  ];
  return safeText(
    [
      `${keyId}  ${role.padEnd(8)}  ${name}`,
      ...(limits.length > 0 ? [limits.join('; ')] : []),
    ].join('  '),
    500,
  );
}
