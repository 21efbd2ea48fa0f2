/** Calls of a job to the host: state of its app, links of an approval, and what it starts. Responses come in any order. */
import { MAX_STATE_KEY_LENGTH, MAX_STATE_VALUE_BYTES } from '#core/app-state.ts'
import { MAX_PROGRESS_NOTE } from '#core/job/progress-note.ts'
import {
  type AnswerMessage,
  type CancelMessage,
  type FrameName,
  type HostMessage,
  MAX_OPEN_CALLS,
  VALUE_MARK,
} from '../protocol/messages.ts'
import type { HostAccess, StateAccess } from './context.ts'
import { durableHostOf } from './durable-host.ts'
import type { GuestJob } from './job.ts'
import { startCallsOf } from './start-calls.ts'
import type { DurableHost, StepScope } from './step-records.ts'

type Waiting = Readonly<{
  resolve: (answer: AnswerMessage) => void
  reject: (error: Error) => void
}>

export type AccessOptions = Readonly<{
  /** Maximum size of the input of a started job, in bytes. */
  maxInputBytes: number
  /** The durable step whose function is running. */
  stepOf: () => StepScope | undefined
}>

export type HostCalls = Readonly<{
  /** The calls of one job. They are refused after the job has ended. */
  accessFor: (
    job: GuestJob,
    options: AccessOptions,
  ) => HostAccess & Readonly<{ durable: DurableHost }>
  /** Resolves when no call is open. */
  answered: () => Promise<void>
  /** Calls back when the job is canceled. */
  watchCancel: (job: GuestJob, onCancel: () => void) => void
  /** Resolves when nothing of the ended job reads from the host any more. The host ends its watch. */
  released: () => Promise<void>
}>

export type CallTransport = Readonly<{
  send: (job: GuestJob, operation: FrameName, payload: string) => void
  /** The next message of the host. It is a response while a call is open. */
  nextMessage: () => Promise<HostMessage>
}>

/** The head of a call without its id, and the JSON text of its value. */
type Request = Readonly<{ operation: FrameName; head: object; valueJson?: string }>
type Call = (request: Request) => Promise<AnswerMessage>

const MAX_APPROVER_LENGTH = 200
const { stringify } = JSON
const { random } = Math
// saved before user code can replace it
const { setTimeout } = globalThis
const encoder = new TextEncoder()
/** The approver of a link whose options name none [flows 9.9]. */
const DEFAULT_APPROVER = 'external'

/** A try fails if another job wrote first. The pauses between tries grow up to the maximum. */
const MAX_UPDATE_TRIES = 1_000
const MAX_UPDATE_PAUSE_MS = 64

const checkKey = (key: unknown): string => {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_STATE_KEY_LENGTH) return key
  throw new TypeError(`A state key must be a text of 1 to ${MAX_STATE_KEY_LENGTH} characters.`)
}

const checkPrefix = (prefix: unknown): string => {
  if (prefix === undefined) return ''
  if (typeof prefix === 'string' && prefix.length <= MAX_STATE_KEY_LENGTH) return prefix
  throw new TypeError(
    `The prefix of state keys must be a text of at most ${MAX_STATE_KEY_LENGTH} characters.`,
  )
}

const checkApprover = (options: unknown): string => {
  if (options === undefined || options === null) return DEFAULT_APPROVER
  const approver = typeof options === 'object' ? Reflect.get(options, 'approver') : null
  if (approver === undefined) return DEFAULT_APPROVER
  const isName =
    typeof approver === 'string' && approver.trim() !== '' && approver.length <= MAX_APPROVER_LENGTH
  if (isName) return approver.trim()
  throw new TypeError(
    `getResumeUrls takes { approver }: a text of 1 to ${MAX_APPROVER_LENGTH} characters.`,
  )
}

const checkProgress = (fraction: unknown, note: unknown): object => {
  if (typeof fraction !== 'number' || !(fraction >= 0 && fraction <= 1)) {
    throw new TypeError('ctx.progress takes a number from 0 to 1, and a note if wanted.')
  }
  if (note !== undefined && note !== null && typeof note !== 'string') {
    throw new TypeError('The note of ctx.progress must be a text.')
  }
  return { fraction, note: note?.slice(0, MAX_PROGRESS_NOTE) ?? null }
}

const named = (name: string, message: string, code: string): Error =>
  Object.assign(new Error(message), { name, code })

const isTooLarge = (json: string): boolean =>
  json.length > MAX_STATE_VALUE_BYTES ||
  (json.length * 3 > MAX_STATE_VALUE_BYTES && encoder.encode(json).length > MAX_STATE_VALUE_BYTES)

const checkValue = (value: unknown): string => {
  const json = stringify(value)
  if (json === undefined) throw new TypeError('A state value must be what JSON can hold.')
  if (!isTooLarge(json)) return json
  throw named(
    'StateTooLarge',
    'A state value holds at most 256 KiB as JSON. Keep less, or split it over several keys.',
    'state_too_large',
  )
}

const refusalOf = ({ error, name = 'Error', code, details }: AnswerMessage): Error =>
  Object.assign(
    new Error(error),
    name === 'Error' ? {} : { name },
    code === undefined ? {} : { code },
    details === undefined ? {} : { details },
  )

/** The pause grows with each try and is random, so that two jobs do not collide again. */
const pauseAfter = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, random() * Math.min(MAX_UPDATE_PAUSE_MS, 2 ** Math.min(tries, 10)))
  })

const update = async (call: Call, key: string, change: unknown): Promise<unknown> => {
  if (typeof change !== 'function') {
    throw new TypeError('state.update takes a key and a function of the old value.')
  }
  for (let tries = 0; tries < MAX_UPDATE_TRIES; tries += 1) {
    const { value = null, version = null } = await call({ operation: 'getState', head: { key } })
    const next: unknown = await change(value)
    const valueJson = checkValue(next)
    const { value: isSet } = await call({
      operation: 'swapState',
      head: { key, version },
      valueJson,
    })
    if (isSet === true) return next
    await pauseAfter(tries)
  }
  throw named(
    'StateConflict',
    `"${key}" was changed by others at each of ${MAX_UPDATE_TRIES} tries.`,
    'state_conflict',
  )
}

type Page = Readonly<{ keys: readonly string[]; hasMore: boolean }>

const list = async (call: Call, prefix: string): Promise<readonly string[]> => {
  const all: string[] = []
  let after: string | null = null
  for (;;) {
    const { value }: AnswerMessage = await call({ operation: 'listState', head: { prefix, after } })
    // the host is trusted: its response has the shape of state-access.ts
    const { keys, hasMore } = value as Page
    for (const key of keys) all.push(key)
    after = keys.at(-1) ?? null
    if (!hasMore || after === null) return all
  }
}

const stateOf = (call: Call): StateAccess => ({
  get: async (key) => {
    const { value } = await call({ operation: 'getState', head: { key: checkKey(key) } })
    return value
  },
  set: async (key, value) => {
    const head = { key: checkKey(key) }
    await call({ operation: 'setState', head, valueJson: checkValue(value) })
  },
  update: async (key, change) => update(call, checkKey(key), change),
  delete: async (key) => {
    await call({ operation: 'deleteState', head: { key: checkKey(key) } })
  },
  list: async (prefix) => list(call, checkPrefix(prefix)),
})

/** Sends calls to the host and matches its responses. @returns the calls of each job */
export const createHostCalls = ({ send: sendFrame, nextMessage }: CallTransport): HostCalls => {
  const waiting = new Map<number, Waiting>()
  /** Calls that wait, because the host reads only MAX_OPEN_CALLS at a time. */
  const queue: (() => void)[] = []
  let lastId = 0
  let answering = Promise.resolve()
  let isReading = false
  /** Null while no job watches. */
  let onCancel: (() => void) | null = null
  let onAnswered: () => void = () => undefined

  const settle = (answer: AnswerMessage): void => {
    const found = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (answer.error === undefined) found?.resolve(answer)
    else found?.reject(refusalOf(answer))
    queue.shift()?.()
    if (waiting.size === 0) onAnswered()
  }

  const endWatch = ({ canceled }: CancelMessage): void => {
    const cancel = onCancel
    onCancel = null
    if (canceled) cancel?.()
  }

  /** Reads only while a call is open or a job watches for its cancel. Between jobs the guest blocks. */
  const takeAnswers = async (): Promise<void> => {
    while (waiting.size > 0 || onCancel !== null) {
      const message = await nextMessage()
      if (message.t === 'answer') settle(message)
      else if (message.t === 'cancel') endWatch(message)
    }
    isReading = false
  }

  const read = (): void => {
    if (isReading) return
    isReading = true
    answering = takeAnswers()
  }

  const whenAnswered = (): Promise<void> =>
    new Promise((resolve) => {
      onAnswered = resolve
    })

  const send = (job: GuestJob, { operation, head, valueJson }: Request, answer: Waiting): void => {
    if (job.ended) {
      answer.reject(new Error('The job has ended: it can ask svc for nothing more.'))
      queue.shift()?.()
      return
    }
    lastId += 1
    waiting.set(lastId, answer)
    const value = valueJson === undefined ? '' : `${VALUE_MARK}${valueJson}`
    sendFrame(job, operation, `${stringify({ id: lastId, ...head })}${value}`)
    read()
  }

  const callHost = (job: GuestJob, request: Request): Promise<AnswerMessage> => {
    const end = job.activity.begin()
    return new Promise<AnswerMessage>((resolve, reject) => {
      const go = (): void => send(job, request, { resolve, reject })
      if (waiting.size < MAX_OPEN_CALLS) go()
      else queue.push(go)
    }).finally(end)
  }

  return {
    accessFor: (job, { maxInputBytes, stepOf }) => ({
      state: stateOf((request) => callHost(job, request)),
      ...startCallsOf(job, (request) => callHost(job, request), {
        maxBytes: maxInputBytes,
        stepOf,
      }),
      durable: durableHostOf((request) => callHost(job, request), maxInputBytes),
      getResumeUrls: async (options) => {
        const head = { approver: checkApprover(options) }
        const { value } = await callHost(job, { operation: 'resumeUrls', head })
        return value
      },
      progress: async (fraction, note) => {
        const head = checkProgress(fraction, note)
        // a progress note is only information, so a job does not fail if svc cannot accept it
        await callHost(job, { operation: 'progress', head }).catch(() => undefined)
      },
    }),
    // a watch stays open until the job has ended
    answered: () => {
      if (onCancel === null) return answering
      return waiting.size === 0 ? Promise.resolve() : whenAnswered()
    },
    watchCancel: (job, cancel) => {
      if (job.ended || onCancel !== null) return
      onCancel = cancel
      sendFrame(job, 'watchCancel', '')
      read()
    },
    released: () => (onCancel === null ? Promise.resolve() : answering),
  }
}
