/** The version of what a form began with, so that it does not silently undo the change of another tab or person [wire 3.8]. */
import { ApiError } from '#sdk/client.ts'

type Versioned = Readonly<{ updated_at: string }>

/** Headers that change only what was read. @param read undefined: there is none yet */
export const onlyAsRead = (read: Versioned | undefined): Readonly<Record<string, string>> =>
  read === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${read.updated_at}"` }

const PRECONDITION_FAILED = 412

/** Whether the server refused a change because another one came first. */
export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.status === PRECONDITION_FAILED
