/** Packs archives whose bytes depend only on their files. */
import { execFileSync } from 'node:child_process'

/**
 * Packs a folder as .tar.gz with GNU tar: sorted names, owner root, one time for all files.
 * @param epoch seconds since 1970
 */
export const packFolder = (folder: string, output: string, epoch: number): void => {
  execFileSync(
    'tar',
    [
      '--create',
      `--file=${output}`,
      '--use-compress-program=gzip --no-name',
      '--format=ustar',
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      `--mtime=@${epoch}`,
      `--directory=${folder}`,
      '.',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
}
