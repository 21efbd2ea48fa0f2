/**
 * Reads PDFs in separate processes: few at once, with a bounded queue for the others.
 *
 * A file costs its host only its bytes and its response. After a failure, or after a number of files, a
 * process is not reused, and its replacement has already started. No caller waits longer than its
 * limit. Errors are AppError (unavailable: too many files wait) or failed responses.
 */
import type { SourceContent } from '#registry/page-content.ts'
import type { RegistryParse } from '#registry/parse-registry.ts'
import type { OnPage, ReaderAnswer, ReaderWork } from './protocol.ts'
import { type ReaderCommand, type ReaderProcess, startReader } from './reader-process.ts'
import { type FileParts, glanceAt, PDF_BOUNDS, type PdfBounds, type PdfFailure } from './reading.ts'
import { createTurns, parserBusy } from './turns.ts'

export type PdfReaderOptions = Readonly<{
  command: ReaderCommand
  /** @default 2 */
  atOnce?: number
  /** Maximum number of files that wait for their turn; further ones are refused. @default 64; one owner may fill half of it */
  maxWaiting?: number
  /** How long a file waits for its turn. @default 20 s */
  patienceMs?: number
  /** How long reading one file may take. @default 20 s */
  timeoutMs?: number
  /** Number of files after which a process is replaced. @default 200 */
  recycleAfter?: number
  /** How long a process without work is kept. @default 2 min */
  idleMs?: number
  bounds?: PdfBounds
}>

export type FailedRead = Readonly<{ kind: 'failed'; failure: PdfFailure; message: string }>

/** Who asks for a file, and how long it is worth reading. */
export type FileCaller = Readonly<{
  /** Whose turn to take: few files are read at once, and owners share them evenly. @default '' */
  owner?: string
  /** Aborted when the caller has gone: the file leaves the queue, or its process ends. */
  signal?: AbortSignal
  /** Called while a scan is read, page by page. */
  onPage?: OnPage
}>

export interface PdfReader {
  /** Starts a process if none is ready, for a file that is about to arrive. */
  prepare(): void
  /** Reads the pages of a file. @throws {AppError} unavailable */
  readContent(
    parts: FileParts,
    caller?: FileCaller,
  ): Promise<Readonly<{ kind: 'content'; source: SourceContent }> | FailedRead>
  /** @throws {AppError} unavailable */
  readRegistry(
    parts: FileParts,
    meta: Readonly<{ parsedAt: string; documentId: string | null }>,
    caller?: FileCaller,
  ): Promise<Readonly<{ kind: 'registry'; parse: RegistryParse }> | FailedRead>
  /**
   * Reads a scan by OCR, which works only if the reader's program includes OCR.
   * @throws {AppError} unavailable
   */
  readScan(
    parts: FileParts,
    options: Omit<Extract<ReaderWork, { kind: 'scan' }>, 'kind'>,
    caller?: FileCaller,
  ): Promise<Readonly<{ kind: 'registry'; parse: RegistryParse }> | FailedRead>
  close(): void
}

type Member = { readonly process: ReaderProcess; served: number; idleTimer: NodeJS.Timeout | null }
type Options = Required<PdfReaderOptions>

const createMembers = ({ command, atOnce, recycleAfter, idleMs }: Options) => {
  const idle: Member[] = []
  const busyOnes = new Set<Member>()
  const start = (): Member => ({ process: startReader(command), served: 0, idleTimer: null })
  const stop = (member: Member): void => {
    if (member.idleTimer !== null) clearTimeout(member.idleTimer)
    member.process.stop()
  }
  const keep = (member: Member): void => {
    member.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(member), 1)
      stop(member)
    }, idleMs)
    member.idleTimer.unref()
    idle.push(member)
  }
  const takeIdle = (): Member | undefined => {
    const member = idle.pop()
    if (member === undefined) return undefined
    if (member.idleTimer !== null) clearTimeout(member.idleTimer)
    return member.process.alive() ? member : takeIdle()
  }
  return {
    prepare: (): void => {
      if (idle.length === 0 && busyOnes.size < atOnce) keep(start())
    },
    take: (): Member => {
      const member = takeIdle() ?? start()
      busyOnes.add(member)
      return member
    },
    giveBack: (member: Member, isClosed: boolean): void => {
      busyOnes.delete(member)
      member.served += 1
      const isSpent = !member.process.alive() || member.served >= recycleAfter
      if (isSpent || isClosed) stop(member)
      else keep(member)
      if (isSpent && !isClosed && idle.length === 0) keep(start())
    },
    close: (): void => {
      for (const member of [...idle.splice(0), ...busyOnes]) stop(member)
    },
  }
}

const DEFAULTS = {
  atOnce: 2,
  maxWaiting: 64,
  patienceMs: 20_000,
  timeoutMs: 20_000,
  recycleAfter: 200,
  idleMs: 120_000,
  bounds: PDF_BOUNDS,
} as const

/** Creates the pool of processes that read PDFs. */
export const createPdfReader = (given: PdfReaderOptions): PdfReader => {
  const options: Options = { ...DEFAULTS, ...given }
  const turns = createTurns(options)
  const members = createMembers(options)
  let isClosed = false

  const askMember = async (
    parts: FileParts,
    work: ReaderWork,
    { signal, onPage }: FileCaller,
  ): Promise<ReaderAnswer> => {
    const member = members.take()
    try {
      const byteCount = parts.reduce((sum, part) => sum + part.length, 0)
      const request = { byteCount, bounds: options.bounds, work }
      const how = { timeoutMs: options.timeoutMs, signal, onPage }
      return await member.process.ask(request, parts, how)
    } finally {
      members.giveBack(member, isClosed)
    }
  }
  const ask = async (
    parts: FileParts,
    work: ReaderWork,
    caller: FileCaller = {},
  ): Promise<ReaderAnswer> => {
    const isPdf = work.kind !== 'scan' || work.type === 'pdf'
    const fault = isPdf ? glanceAt(parts) : null
    if (fault !== null) return { kind: 'failed', failure: fault.failure, message: fault.message }
    if (isClosed) throw parserBusy()
    const { owner = '' } = caller
    await turns.take(owner, caller.signal)
    try {
      return await askMember(parts, work, caller)
    } finally {
      turns.giveBack(owner)
    }
  }
  return {
    prepare: members.prepare,
    readContent: async (parts, caller) => {
      const answer = await ask(parts, { kind: 'content' }, caller)
      if (answer.kind === 'registry')
        throw new Error('A reader answered a request of another kind.')
      return answer
    },
    readRegistry: async (parts, meta, caller) => {
      const answer = await ask(parts, { kind: 'registry', ...meta }, caller)
      if (answer.kind === 'content') throw new Error('A reader answered a request of another kind.')
      return answer
    },
    readScan: async (parts, options, caller) => {
      const answer = await ask(parts, { kind: 'scan', ...options }, caller)
      if (answer.kind === 'content') throw new Error('A reader answered a request of another kind.')
      return answer
    },
    close: () => {
      isClosed = true
      members.close()
    },
  }
}
