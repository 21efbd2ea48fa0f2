import type { Stats } from 'node:fs'
import process from 'node:process'

const GROUP_OR_OTHERS_MAY_WRITE = 0o022

/** Whether only this user may write to the file or folder, so that svc may execute it. */
export const isWrittenOnlyByUser = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean =>
  (process.getuid === undefined || uid === process.getuid()) &&
  (mode & GROUP_OR_OTHERS_MAY_WRITE) === 0
