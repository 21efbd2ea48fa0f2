/**
 * What the kernel keeps in the sockets of a network namespace. A job whose loopback is its own can send to itself and never
 * read it: those bytes are neither in its memory nor, without control groups, counted at all.
 */
import { readFile } from 'node:fs/promises'
import { readText } from './process-tree.ts'

/** Below so many sockets nothing of weight can be kept: a connection holds some megabytes at most. */
const FEW_SOCKETS = 16

export interface SocketMemory {
  /** Bytes, as last read. */
  bytes(): number
  /** Reads again, on another thread, because the kernel walks through all its sockets for it. */
  look(): void
}

/** Where there is nothing to count. */
export const NO_SOCKETS: SocketMemory = { bytes: () => 0, look: () => undefined }

const HEX = 16
const QUEUES = /^\s*\d+: \S+ \S+ \S+ ([\dA-F]+):([\dA-F]+)/gm

/** @param table in the form of /proc/net/tcp: bytes on their way, and bytes that are not read */
export const queuedBytes = (table: string): number => {
  let total = 0
  for (const [, sent = '0', unread = '0'] of table.matchAll(QUEUES)) {
    total += Number.parseInt(sent, HEX) + Number.parseInt(unread, HEX)
  }
  return total
}

const socketsIn = (folder: string): number => {
  const text = `${readText(`${folder}/sockstat`)}${readText(`${folder}/sockstat6`)}`
  return [...text.matchAll(/^TCP6?: inuse (\d+)/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}

const readTables = async (folder: string): Promise<number> => {
  const tables = await Promise.all([
    readFile(`${folder}/tcp`, 'utf8'),
    readFile(`${folder}/tcp6`, 'utf8').catch(() => ''),
  ])
  return tables.reduce((sum, table) => sum + queuedBytes(table), 0)
}

/** @param pid a process in a network namespace of its own; null while there is none */
export const createSocketMemory = (pid: () => number | null): SocketMemory => {
  let bytes = 0
  let isReading = false

  const read = async (folder: string): Promise<void> => {
    isReading = true
    try {
      bytes = await readTables(folder)
    } catch {
      // it has ended meanwhile
      bytes = 0
    } finally {
      isReading = false
    }
  }

  return {
    bytes: () => bytes,
    look: () => {
      const id = pid()
      if (isReading || id === null) return
      const folder = `/proc/${id}/net`
      if (socketsIn(folder) > FEW_SOCKETS) void read(folder)
      else bytes = 0
    },
  }
}
