import { messageOf } from '../message';
import { findOnPath, runCommand } from '../provision/command';
import type { Progress } from '../provision/progress';
import type { Kit } from '../kit';
import { imagesOf } from './images';

let answer: Promise<boolean> | undefined;

/**
 * True where a Docker engine answers, asked once and for three seconds at most.
 * STEWARD_TEST_BED=local says not to use it.
 */
export function dockerAnswers(): Promise<boolean> {
  answer ??=
    process.env['STEWARD_TEST_BED'] === 'local' || findOnPath('docker') === undefined
      ? Promise.resolve(false)
      : docker(3_000, 'info', '--format', '{{.ServerVersion}}').then(
          (version) => version.trim() !== '',
          () => false,
        );
  return answer;
}

const docker = (timeout: number, ...args: readonly string[]): Promise<string> =>
  runCommand('docker', args, { timeout });

/**
 * By a list, which is empty without an error where the image is absent.
 * @throws Error where Docker does not say, or not in time.
 */
const hasImage = async (image: string): Promise<boolean> =>
  (await docker(10_000, 'image', 'ls', '--quiet', image)).trim() !== '';

/**
 * True where a kit's servers can be started in containers now: Docker answers and the images are
 * there. Pulls nothing.
 * @throws Error where Docker answers, and does not say which images it has.
 */
export async function containersAtHand(kit: Kit): Promise<boolean> {
  return (await dockerAnswers()) && (await Promise.all(imagesOf(kit).map(hasImage))).every(Boolean);
}

/**
 * Pulls a kit's images where Docker answers. False where it does not, or where an image cannot be
 * had, which is said.
 */
export async function provisionContainers(kit: Kit, progress: Progress): Promise<boolean> {
  if (imagesOf(kit).length === 0 || !(await dockerAnswers())) return false;
  try {
    for (const image of imagesOf(kit)) {
      if (await hasImage(image)) continue;
      progress(`pulling ${image}`);
      await docker(600_000, 'pull', '--quiet', image);
    }
    return true;
  } catch (error) {
    progress(`Docker answers, but ${messageOf(error)}; using processes of this machine instead`);
    return false;
  }
}
