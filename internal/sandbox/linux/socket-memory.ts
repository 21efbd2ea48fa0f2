/**
 * Measures what the kernel buffers in the sockets of a network namespace. A job with its own loopback can send to itself and
 * never read. Those bytes are not part of its memory and, without control groups, are not counted anywhere.
 */
import { readFile } from 'node:fs/promises'
import { readText } from './process-tree.ts'

/** With no more sockets than this, the buffers are small enough to ignore: a connection holds a few megabytes at most. */
const FEW_SOCKETS = 16

export interface SocketMemory {
  /** Bytes, as of the last `measure`. */
  bytes(): number
  /** Starts another measurement, on another thread, because the kernel walks through all sockets for it. */
  measure(): void
}

/** For guests that have no sockets to measure. */
export const NO_SOCKETS: SocketMemory = { bytes: () => 0, measure: () => undefined }

const HEX = 16
const QUEUES = /^\s*\d+: \S+ \S+ \S+ ([\dA-F]+):([\dA-F]+)/gm

/** @param table in the format of /proc/net/tcp @returns bytes in send and receive queues */
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

/** @param pid a process with its own network namespace; null while there is none */
export const createSocketMemory = (pid: () => number | null): SocketMemory => {
  let bytes = 0
  let isReading = false

  const read = async (folder: string): Promise<void> => {
    isReading = true
    try {
      bytes = await readTables(folder)
    } catch {
      // the process has ended
      bytes = 0
    } finally {
      isReading = false
    }
  }

  return {
    bytes: () => bytes,
    measure: () => {
      const id = pid()
      if (isReading || id === null) return
      const folder = `/proc/${id}/net`
      if (socketsIn(folder) > FEW_SOCKETS) void read(folder)
      else bytes = 0
    },
  }
}
