import { isTerminal } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { openJobText } from '#service/flows/open-job.ts'
import type { JobResult } from '#store/jobs/read.ts'
import { answer, ok } from '../answer.ts'

/** Answers with the result of a job, or 202 before it ended. The caller may read the job. */
export const answerResult = ({ keyring }: Pick<Deps, 'keyring'>, row: JobResult) => {
  if (!isTerminal(row.status)) return answer(202, { status: 'pending' })
  const text = row.resultJson
  const result = openJobText(keyring, row, { field: 'result', text })
  return ok({ status: row.status, result })
}
