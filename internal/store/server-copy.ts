/** A copy of a server's database in a file, brought up to date on demand: the binding's embedded replica, without readers. */
import { chmodSync } from 'node:fs'
import Libsql from 'libsql'
import { unavailable } from '#core/error.ts'
import { messageOf } from './database-error.ts'

export type ServerCopyOptions = Readonly<{
  /** A file that is not there yet, in a folder of its owner alone. */
  path: string
  url: string
  authToken?: string
}>

export type ServerCopy = Readonly<{
  /** Brings the copy to what the server holds now; blocks meanwhile. @returns its path @throws {AppError} unavailable */
  update: () => string
  close: () => void
}>

/** Copies over HTTP, the only way in which sqld replicates to others than sqld. */
const toSyncUrl = (url: string): string => url.replace(/^ws/, 'http')

/** Opens a copy; the first `update` makes it. */
export const openServerCopy = ({ path, url, authToken = '' }: ServerCopyOptions): ServerCopy => {
  // its types know no token
  const options = { syncUrl: toSyncUrl(url), authToken }
  let copy: Libsql.Database | null = null
  return {
    update: () => {
      try {
        copy ??= new Libsql(path, options)
        copy.sync()
        chmodSync(path, 0o600)
        return path
      } catch (error) {
        throw unavailable(`The database could not be copied: ${messageOf(error)}`, { cause: error })
      }
    },
    close: () => copy?.close(),
  }
}
