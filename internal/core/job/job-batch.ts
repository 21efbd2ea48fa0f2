/** Many jobs in one request: each fault names its item [jobs 17.2]. */
import { AppError, type ErrorDetail } from '../error.ts'
import { limit } from '../limit.ts'

export const MAX_BATCH_ITEMS = limit(
  'job.batch',
  1_000,
  'items',
  'Items of `POST /jobs/batch`. More: 400.',
)
export const MAX_BATCH_APPS = limit(
  'job.batch_apps',
  100,
  'items',
  'Different apps in one `POST /jobs/batch`. More: 400.',
)
export const MAX_BATCH_CHECK_S = limit(
  'job.batch_check',
  30,
  's',
  'Time for the checks of the inputs of one `POST /jobs/batch`. More: 503 `batch_too_slow`.',
)
export const MAX_BATCH_BYTES = limit(
  'job.batch_bytes',
  16_777_216,
  'bytes',
  'Body of `POST /jobs/batch`; each input has the limit of a run. More: 413.',
)

const inItem = (index: number, path: string): string =>
  path === '' ? `items[${index}]` : `items[${index}].${path}`

/** Returns the same error, with the index of the item that it concerns. */
export const itemFault = (index: number, error: AppError): AppError => {
  const { kind, code, details, retryAfterS } = error
  return new AppError(kind, `items[${index}]: ${error.message}`, {
    code,
    cause: error,
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...(details === undefined
      ? {}
      : {
          details: details.map((one): ErrorDetail => ({ ...one, path: inItem(index, one.path) })),
        }),
  })
}
