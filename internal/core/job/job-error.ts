/** Errors of jobs and runs. Pure. */
import { isJsonObject, parseJsonOrNull } from '../json/value.ts'

/** What a script threw, or the limit it hit [jobs 8.10]. */
export type JobError = Readonly<{ name: string; message: string }>

/** The error of a canceled job or run. @param reason null if none was given */
export const canceledError = (reason: string | null = null): JobError => ({
  name: 'Canceled',
  message: reason ?? 'The job was canceled.',
})

/** Characters of a message that lists show. */
const MOST_SUMMARIZED = 300

/** Returns an error as lists show it: with the first line of its message. Null if the JSON is something else. */
export const errorSummary = (json: string): JobError | null => {
  const error = parseJsonOrNull(json)
  if (!isJsonObject(error)) return null
  const { name, message } = error
  if (typeof name !== 'string' || typeof message !== 'string') return null
  const [line = ''] = message.trim().split('\n', 1)
  return { name, message: line.slice(0, MOST_SUMMARIZED).toWellFormed() }
}
