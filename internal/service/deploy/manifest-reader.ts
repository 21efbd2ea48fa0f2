/**
 * Reads manifests without blocking the server: short ones at once, long ones on a thread, one after another. Workspaces take
 * turns, and a text that takes too long is refused. Inputs whose check takes long have a thread of their own.
 */
import { type AppError, type ErrorDetail, unavailable, unprocessable } from '#core/error.ts'
import { createFairQueue } from '#core/fairness/queue.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { ManifestResult } from '#core/manifest/manifest.ts'
import {
  type AppText,
  answerQuestion,
  type FunctionResults,
  type FunctionText,
  isLong,
  type ManifestAnswer,
  type ManifestQuestion,
} from '#core/manifest/question.ts'

export type ManifestThread = Readonly<{
  ask: (question: ManifestQuestion) => void
  stop: () => void
}>

/** @param onEnd the thread has ended, and answers no more */
export type StartManifestThread = (
  on: Readonly<{ onAnswer: (answer: ManifestAnswer) => void; onEnd: () => void }>,
) => ManifestThread

export interface ManifestReader {
  /** Reads app.yaml or app.json. @throws {AppError} unprocessable: it takes too long; unavailable: too many wait */
  readApp(ws: string, app: AppText): Promise<ManifestResult>
  /** Reads function.yaml files of one app. @throws {AppError} like `readApp` */
  readFunctions(ws: string, functions: readonly FunctionText[]): Promise<FunctionResults>
  /**
   * Returns every fault of an input by its schema.
   * @param mustWait whether it waits behind any number of others, because its caller cannot ask again
   * @throws {AppError} unavailable: too many wait, or the thread failed
   */
  checkInput(
    ws: string,
    schema: JsonValue,
    inputJson: string,
    mustWait: boolean,
  ): Promise<readonly ErrorDetail[]>
}

export type ManifestReaderOptions = Readonly<{
  /** Milliseconds that the texts of one question may take. A busy machine needs more than their 3 s. @default 30 s */
  timeoutMs?: number
  /** Milliseconds after which a thread without work ends. @default 1 min */
  idleMs?: number
  /** Questions of one workspace, and of all together, that may wait. @default 64 and 256 */
  waiting?: Readonly<{ perCaller: number; total: number }>
}>

type Asked = Readonly<{
  question: ManifestQuestion
  resolve: (answer: ManifestAnswer) => void
  reject: (error: AppError) => void
}>

const busy = (): AppError =>
  unavailable('Too many manifests or inputs are being checked. Try again shortly.', {
    code: 'manifests_busy',
    retryAfterS: 2,
  })

const failed = (): AppError =>
  unavailable('The server could not check the manifest or input. Try again.', {
    code: 'manifest_unread',
  })

const tooSlow = (timeoutMs: number): AppError =>
  unprocessable(
    `The manifest takes more than ${timeoutMs / 1_000} s to read. Make it shorter or simpler.`,
    { code: 'bad_manifest' },
  )

/** Asks a thread that is started for the first question and ends when it is idle. */
const createAsk = (
  start: StartManifestThread,
  {
    timeoutMs = 30_000,
    idleMs = 60_000,
    waiting = { perCaller: 64, total: 256 },
  }: ManifestReaderOptions,
) => {
  const queue = createFairQueue<Asked>(waiting)
  let thread: ManifestThread | null = null
  let current: Asked | null = null
  let timer: NodeJS.Timeout | undefined

  const endThread = (): void => {
    const ended = thread
    thread = null
    ended?.stop()
  }
  const settle = (end: (asked: Asked) => void): void => {
    if (current !== null) end(current)
    goOn()
  }
  const begin = (): ManifestThread => {
    const started = start({
      onAnswer: (answer) => {
        if (started === thread) settle(({ resolve }) => resolve(answer))
      },
      onEnd: () => {
        if (started !== thread) return
        thread = null
        settle(({ reject }) => reject(failed()))
      },
    })
    return started
  }
  const goOn = (): void => {
    clearTimeout(timer)
    current = queue.take()
    if (current === null) {
      timer = setTimeout(endThread, idleMs)
      timer.unref()
      return
    }
    timer = setTimeout(() => {
      endThread()
      // the steps of a check are bounded, so only a machine that stood still takes so long for an input
      settle(({ question, reject }) =>
        reject(question.kind === 'input' ? failed() : tooSlow(timeoutMs)),
      )
    }, timeoutMs)
    thread ??= begin()
    thread.ask(current.question)
  }

  return (ws: string, question: ManifestQuestion): Promise<ManifestAnswer> =>
    new Promise((resolve, reject) => {
      const offer = queue.offer(ws, { question, resolve, reject })
      if (!offer.isAccepted) reject(busy())
      else offer.displaced?.reject(busy())
      if (current === null) goOn()
    })
}

/** An input that waits takes no more memory than its request or run. */
const INPUTS_WAITING = { perCaller: 1_000, total: 10_000 }
const ANY_NUMBER = { perCaller: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }

const wrongKind = (): Error => new Error('The thread answered a question of another kind.')

/** Creates the reader of a process. @param start starts manifest-thread.ts */
export const createManifestReader = (
  start: StartManifestThread,
  options: ManifestReaderOptions = {},
): ManifestReader => {
  const askThread = createAsk(start, options)
  const askInputThread = createAsk(start, { ...options, waiting: INPUTS_WAITING })
  const askPatiently = createAsk(start, { ...options, waiting: ANY_NUMBER })
  const ask = async (ws: string, question: ManifestQuestion): Promise<ManifestAnswer> =>
    isLong(question) ? askThread(ws, question) : answerQuestion(question)
  return {
    readApp: async (ws, app) => {
      const answer = await ask(ws, { kind: 'app', app })
      if (answer.kind !== 'app') throw wrongKind()
      return answer.result
    },
    readFunctions: async (ws, functions) => {
      const answer = await ask(ws, { kind: 'functions', functions })
      if (answer.kind !== 'functions') throw wrongKind()
      return new Map(answer.results)
    },
    checkInput: async (ws, schema, inputJson, mustWait) => {
      const askOne = mustWait ? askPatiently : askInputThread
      const answer = await askOne(ws, { kind: 'input', schema, inputJson })
      if (answer.kind !== 'input') throw wrongKind()
      return answer.faults
    },
  }
}
