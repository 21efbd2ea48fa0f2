/** A copy of a server's database in a file, updated on demand. It uses the binding's embedded replica. */
import { chmodSync } from 'node:fs'
import Libsql from 'libsql'
import { unavailable } from '#core/error.ts'
import { messageOf } from '../database-error.ts'
import { toSyncAddress } from './sync-address.ts'

export type ServerCopyOptions = Readonly<{
  /** A file that does not exist yet, in a folder that only its owner can read. */
  path: string
  url: string
  authToken?: string
}>

export type ServerCopy = Readonly<{
  /** Updates the copy to the server's current content. It blocks meanwhile. @returns its path @throws {AppError} unavailable */
  update: () => string
  close: () => void
}>

/** Opens a copy. The first `update` creates it. */
export const openServerCopy = ({ path, ...address }: ServerCopyOptions): ServerCopy => {
  // the binding's types lack the token
  const options = toSyncAddress(address)
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
