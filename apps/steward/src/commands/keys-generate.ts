import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { Failure } from '@ovn-steward/shared/errors';
import { whyUnwritable } from '@ovn-steward/shared/file-trouble';
import { generateKey } from '@ovn-steward/shared/signing/generate-key';
import { makePrivateFolder } from '@ovn-steward/shared/private-files';
import { Role } from '@ovn-steward/shared/log/signer';
import { TrustedKeyFile } from '@ovn-steward/shared/signing/trusted-key';
import { EXIT } from '../process/exit-codes';
import { indentedJson } from '@ovn-steward/shared/indented-json';

interface GenerateOptions {
  readonly role: Role;
  readonly name: string;
  readonly out: string;
  readonly notAfter?: string;
  readonly onlyClusters?: string;
  readonly onlyDecisions?: string;
}

/** `steward keys generate`: makes a pair of keys for one executor or one person. */
export function keysGenerate(keys: Command, done: (code: number) => void): void {
  keys
    .command('generate')
    .description('make a key pair: a secret key to sign with, and a public file to trust')
    .addOption(
      new Option('--role <role>', 'the signer: an executor, or a person who decides')
        .choices(Role.options)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'the owner of the key; appears as approvedBy in actions')
    .requiredOption('--out <folder>', 'the folder for both files; created if it does not exist')
    .option(
      '--not-after <time>',
      'signatures after this time do not count, such as 2027-01-01T00:00:00Z',
    )
    .option('--only-clusters <list>', 'the clusters it may sign for, separated by commas')
    .option(
      '--only-decisions <list>',
      'what a person may decide, such as hold,resume, separated by commas',
    )
    .action(({ role, name, out, notAfter, onlyClusters, onlyDecisions }: GenerateOptions) => {
      const { privateKey, trusted } = generateKey({
        role,
        name,
        ...(notAfter !== undefined && { notAfter }),
        ...(onlyClusters !== undefined && { clusters: onlyClusters.split(',') }),
        ...(onlyDecisions !== undefined && { decisions: onlyDecisions.split(',') }),
      });
      refuseInvalid(trusted);
      const stem = join(out, name.replace(/[^A-Za-z0-9._@-]/g, '_').replace(/^\.+/, '_'));
      const secret = `${stem}.key.pem`;
      const open = `${stem}.json`;
      try {
        makePrivateFolder(out);
        writePair({ file: secret, text: privateKey }, { file: open, text: indentedJson(trusted) });
      } catch (error) {
        throw new Failure(
          'config-invalid',
          `The keys of ${name} could not be written to ${out}: ${whyUnwritable(error)}. Give another --out or --name; no file is replaced.`,
        );
      }
      process.stdout.write(
        `Made key ${trusted.id} of ${role} ${name}.\nKeep secret, and set as signing.keyFile where ${name} signs: ${secret}\nPut into the folder signing.trustedKeys of every executor and of every command line: ${open}\n`,
      );
      done(EXIT.nothingFound);
    });
}

interface Half {
  readonly file: string;
  readonly text: string;
}

/**
 * Writes both or neither, and replaces no file: a key that is in use would be lost.
 * @throws what writing a file throws.
 */
function writePair(secret: Half, open: Half): void {
  writeNew(secret, 0o600);
  try {
    writeNew(open, 0o644);
  } catch (error) {
    rmSync(secret.file, { force: true });
    throw error;
  }
}

/** Writes a file that does not exist yet; of one that could not be written in full nothing stays. */
function writeNew({ file, text }: Half, mode: number): void {
  const descriptor = openSync(file, 'wx', mode);
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function refuseInvalid(trusted: TrustedKeyFile): void {
  const issue = TrustedKeyFile.safeParse(trusted).error?.issues[0];
  if (issue !== undefined)
    throw new Failure(
      'config-invalid',
      `No key was made: ${issue.path.join('.')} is not as it must be (${issue.message}).`,
    );
}
