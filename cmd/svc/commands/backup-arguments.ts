/** Arguments that `svc db backup` and `svc db restore` share. */
import { z } from 'zod'
import { parseS3Place, type S3Place } from '#core/backup/s3-place.ts'
import { UsageError } from '../exit.ts'

export const fileArgument = z.string().min(1, 'The name must not be empty.')

/** @throws {UsageError} the address does not have this form */
export const s3PlaceOf = (address: string): S3Place => {
  const place = parseS3Place(address)
  if (place !== null) return place
  throw new UsageError(
    'An address of S3 must be s3://bucket/prefix. A bucket has 3 to 63 lower-case letters, digits, dots and hyphens; a prefix has letters, digits and . _ - /.',
  )
}
