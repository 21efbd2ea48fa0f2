/** Detects that a disk has no room for data or for files. */
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The disk is full or has no more files to give; the quota of the user is used up. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT']

/** Whether the file system refused because it has no room. */
export const lacksRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CODES.includes(error.code)

/** Whether the disk has no room for one more file in the folder. It tries, because not all file systems count files. */
export const takesNoFile = (folder: string): boolean => {
  const path = join(folder, `.svc-${randomBytes(6).toString('hex')}`)
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
    rmSync(path, { force: true })
    return false
  } catch (error) {
    return lacksRoom(error)
  }
}
