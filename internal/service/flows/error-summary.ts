/** Decrypts the errors of failed jobs and runs for lists. */
import { errorSummary, type JobError } from '#core/job/job-error.ts'
import type { Keyring } from '#crypto/keyring.ts'
import type { FlowRunRow } from '#store/flows/run-list.ts'
import type { ListedJob } from '#store/jobs/list.ts'
import { flowCipher, runPlace } from './cipher.ts'
import { openJobText, type SealedJob } from './open-job.ts'

/** One row that was changed in the database must not make the whole list unreadable. */
const readable = (open: () => string | null): JobError | null => {
  try {
    const json = open()
    return json === null ? null : errorSummary(json)
  } catch {
    return null
  }
}

/** Returns the error of a failed job, shortened for lists; null for others. */
export const jobErrorSummary = (
  keyring: Keyring,
  job: SealedJob & Pick<ListedJob, 'errorJson'>,
): JobError | null =>
  readable(() => openJobText(keyring, job, { field: 'result', text: job.errorJson })?.text ?? null)

/** Returns the error of a failed run, shortened for lists; null for others. */
export const runErrorSummary = (
  keyring: Keyring,
  { id, errorText, ...owner }: Pick<FlowRunRow, 'id' | 'ws' | 'wrappedKey' | 'errorText'>,
): JobError | null =>
  readable(() =>
    errorText === null
      ? null
      : flowCipher(keyring, owner).openJson(runPlace(id, 'error'), errorText),
  )
