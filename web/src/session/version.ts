/** The version of what a form began with, so that it does not silently undo the change of another tab or person [wire 3.8]. */
import { ApiError, type Client } from '#sdk/client.ts'
import { readWithVersion, type WithVersion } from './api.ts'

type Versioned = Readonly<{ updated_at: string }>

/** Headers that change only what was read. @param read undefined: there is none yet */
export const onlyAsRead = (read: Versioned | undefined): Readonly<Record<string, string>> =>
  read === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${read.updated_at}"` }

const PRECONDITION_FAILED = 412

/** Whether the server refused a change because another one came first. */
export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.status === PRECONDITION_FAILED

/** Tries before a change gives up, if others keep changing the same. */
const TRIES = 5

/** Applies a change to what is there now. If another change comes between, it reads and changes again. */
export const changeNow = async <Value, Answer>(
  ws: string,
  read: (api: Client) => Promise<Value>,
  change: (now: WithVersion<Value>) => Promise<Answer>,
  tries = TRIES,
): Promise<Answer> => {
  const now = await readWithVersion(ws, read)
  try {
    return await change(now)
  } catch (error) {
    if (tries === 1 || !isChangedMeanwhile(error)) throw error
    return changeNow(ws, read, change, tries - 1)
  }
}
