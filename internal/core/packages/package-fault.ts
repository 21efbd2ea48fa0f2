/** Errors about packages that a deploy fetches. Pure. */
import { AppError } from '../error.ts'

/** The code that clients switch on; `registry_unreachable` is 502, the others are 422. */
export type PackageFaultCode =
  | 'registry_unreachable'
  | 'registry_off'
  | 'bad_lock_file'
  | 'needs_lock_file'
  | 'bad_npmrc'
  | 'package_not_found'
  | 'package_forbidden'
  | 'package_hash_mismatch'
  | 'bad_package'
  | 'too_many_packages'

/** Builds the error of a package or lock file. @param message names the package and ends with a full stop */
export const packageFault = (code: PackageFaultCode, message: string, cause?: unknown): AppError =>
  new AppError(code === 'registry_unreachable' ? 'bad_gateway' : 'unprocessable', message, {
    code,
    cause,
  })
