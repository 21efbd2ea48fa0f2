/** Limits the apps that are deployed together: all of them are in memory until the last one is read. */
import { unprocessable } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { bytesOfApp, type SizedApp } from '../apps/read-app.ts'

const MAX_BYTES = limit(
  'app.together',
  256 * 1_024 * 1_024,
  'bytes',
  'Files and bundles of the apps that one push, or one sync of a git source, deploys together. More: 422 `too_much_together`.',
)

/** Returns a function that counts one app more. The function throws `too_much_together`. */
export const countTogether = (): ((app: SizedApp) => void) => {
  let bytes = 0
  return (app) => {
    bytes += bytesOfApp(app)
    if (bytes <= MAX_BYTES) return
    throw unprocessable(
      'The apps of these branches or folders are larger than svc deploys at once. Push fewer branches, or divide the git source.',
      { code: 'too_much_together' },
    )
  }
}
