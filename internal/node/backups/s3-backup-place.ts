/**
 * Backups of a file database in a bucket of an S3-compatible service, named by their times as in a folder.
 *
 * A backup is a checked copy next to the database, which is uploaded and verified; then the oldest are removed. The copy is
 * unlinked before the upload, so that it disappears even if the process dies.
 */
import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '#config/config.ts'
import { backupName, expiredBackups, type Keeping, listBackups } from '#core/backup/backup-name.ts'
import { type S3Place, s3Address } from '#core/backup/s3-place.ts'
import { AppError, invalid } from '#core/error.ts'
import { listNames, openBucket, removeObject, type S3Bucket } from '#outbound/s3/s3-bucket.ts'
import { downloadObject } from '#outbound/s3/s3-download.ts'
import { uploadFile } from '#outbound/s3/s3-upload.ts'
import { backupDatabase } from '#store/maintenance/backup.ts'
import { BACKUP_FORM, removeStalePartials } from '#store/maintenance/backup-folder.ts'
import type { AddOptions, BackupPlace } from './backup-place.ts'

/** The name of the copy next to the database, until it is unlinked. */
const COPY_FORM = { prefix: 'svc-upload-', suffix: '' }

/** @throws {AppError} invalid: the access key is not set */
const openConfigured = (config: Config, { bucket }: S3Place, signal: AbortSignal): S3Bucket => {
  const accessKeyId = config.s3AccessKeyId
  const secretAccessKey = config.s3SecretAccessKey
  const region = config.s3Region
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw invalid('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for backups in S3.', {
      code: 'backup_no_key',
    })
  }
  const endpoint = config.s3Endpoint ?? `https://s3.${region}.amazonaws.com`
  const sessionToken = config.s3SessionToken
  return openBucket({ endpoint, region, accessKeyId, secretAccessKey, sessionToken }, bucket, {
    signal,
  })
}

/** Removes the oldest backups beyond `keep`, one after another. */
const removeExpired = async (
  bucket: S3Bucket,
  prefix: string,
  keeping: Keeping,
): Promise<Readonly<{ removed: readonly string[]; removalFault: unknown }>> => {
  const removed: string[] = []
  try {
    for (const name of expiredBackups(BACKUP_FORM, await listNames(bucket, prefix), keeping)) {
      await removeObject(bucket, `${prefix}${name}`)
      removed.push(name)
    }
    return { removed, removalFault: null }
  } catch (removalFault) {
    // a key without the right to delete is a sensible precaution, and the new backup exists
    return { removed, removalFault }
  }
}

/** Copies the database, and uploads the copy under `key`. */
const upload = async (path: string, bucket: S3Bucket, key: string, now: number) => {
  const folder = dirname(path)
  removeStalePartials(folder, COPY_FORM, now)
  const { file, schemaVersion } = backupDatabase(path, join(folder, backupName(COPY_FORM, now)))
  const handle = await open(file).finally(() => rmSync(file, { force: true }))
  try {
    return { bytes: await uploadFile(bucket, key, handle), schemaVersion }
  } finally {
    await handle.close()
  }
}

/** Keeps backups in a bucket, which must exist. @param signal ends a transfer */
export const s3Place = (config: Config, place: S3Place, signal: AbortSignal): BackupPlace => {
  const bucket = openConfigured(config, place, signal)
  const { prefix } = place
  const newest = async () => listBackups(BACKUP_FORM, await listNames(bucket, prefix))[0] ?? null
  return {
    shown: s3Address(place),
    newest,
    add: async (path, { keep, now }: AddOptions) => {
      // fail for a wrong bucket or key before a large database is copied
      await newest()
      const name = backupName(BACKUP_FORM, now)
      const { bytes, schemaVersion } = await upload(path, bucket, `${prefix}${name}`, now)
      const { removed, removalFault } =
        keep === null
          ? { removed: [], removalFault: null }
          : await removeExpired(bucket, prefix, { keep, made: name })
      return { file: s3Address(place, name), bytes, schemaVersion, removed, removalFault }
    },
  }
}

/**
 * Downloads a backup to `file`: the one that the place names, or from a folder the newest that is not younger than `at`.
 * @param at milliseconds since 1970; null selects the newest
 * @returns the address of the backup
 * @throws {AppError} not_found: there is none; other kinds if the service refuses or is unreachable
 */
export const fetchS3Backup = async (
  config: Config,
  place: S3Place,
  { at, file }: Readonly<{ at: number | null; file: string }>,
): Promise<string> => {
  const bucket = openConfigured(config, place, new AbortController().signal)
  const name = place.name ?? (await findName(bucket, place, at))
  await downloadObject(bucket, `${place.prefix}${name}`, file)
  return s3Address(place, name)
}

const findName = async (bucket: S3Bucket, place: S3Place, at: number | null): Promise<string> => {
  const backups = listBackups(BACKUP_FORM, await listNames(bucket, place.prefix))
  const found = backups.find((one) => at === null || one.at <= at)
  if (found !== undefined) return found.name
  const when = at === null ? '' : ` of ${new Date(at).toISOString()} or before`
  const oldest = backups.at(-1)
  const remedy =
    oldest === undefined
      ? 'Check the bucket, the folder and AWS_ENDPOINT_URL_S3; svc db backup makes one.'
      : `The oldest there is ${oldest.name}.`
  throw new AppError('not_found', `There is no backup${when} in ${s3Address(place)}. ${remedy}`)
}
