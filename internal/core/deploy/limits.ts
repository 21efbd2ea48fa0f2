/** Limits of what a deployment is made from, however it is sent. */
import { limit } from '../limit.ts'

export const MAX_ARCHIVE_BYTES = limit(
  'app.archive',
  10 * 1_024 * 1_024,
  'bytes',
  'Uploaded archive of an app or of functions, as compressed. More: 413.',
)

export const MAX_DEPLOY_MESSAGE = limit(
  'app.message',
  2_000,
  'characters',
  'Message of a deployment.',
)
