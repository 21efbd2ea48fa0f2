/** The parts of `ctx` that call the host. Each call is checked here, so that a script gets the same error wherever it runs. */
import { MAX_STATE_KEY_LENGTH, MAX_STATE_VALUE_BYTES } from '#core/app-state.ts'
import { MAX_PROGRESS_NOTE } from '#core/job/progress-note.ts'
import { hasNul } from '#core/nul.ts'
import type { AnswerMessage, FrameName } from '../protocol/messages.ts'
import { cancelHead } from './cancel-head.ts'
import type { HostAccess, StateAccess } from './context.ts'
import type { SaveDraws } from './draw-saver.ts'
import { durableHostOf } from './durable-host.ts'
import type { GuestJob } from './job.ts'
import { startCallsOf } from './start-calls.ts'
import type { DurableHost, StepScope } from './step-records.ts'
import { isLargerThan } from './text-size.ts'

/** The head of a call without its id, and the JSON text of its value. */
export type HostRequest = Readonly<{ operation: FrameName; head: object; valueJson?: string }>
/** Calls the host. @throws {Error} the host refused the call */
export type CallHost = (request: HostRequest) => Promise<AnswerMessage>

export type AccessOptions = Readonly<{
  /** Maximum size of the input of a started job, in bytes. */
  maxInputBytes: number
  /** The durable step whose function is running. */
  stepOf: () => StepScope | undefined
  saveDraws: SaveDraws
}>

export type JobAccess = HostAccess & Readonly<{ durable: DurableHost }>

const MAX_APPROVER_LENGTH = 200
const { stringify } = JSON
const { random } = Math
// saved before user code can replace it
const { setTimeout } = globalThis
/** The approver of a link whose options name none [flows 9.9]. */
const DEFAULT_APPROVER = 'external'

/** A try fails if another job wrote first. The pauses between tries grow up to the maximum. */
const MAX_UPDATE_TRIES = 1_000
const MAX_UPDATE_PAUSE_MS = 64

const checkKey = (key: unknown): string => {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_STATE_KEY_LENGTH && !hasNul(key)) {
    return key
  }
  throw new TypeError(
    `A state key must be a string of 1 to ${MAX_STATE_KEY_LENGTH} characters, without NUL.`,
  )
}

const checkPrefix = (prefix: unknown): string => {
  if (prefix === undefined) return ''
  if (typeof prefix === 'string' && prefix.length <= MAX_STATE_KEY_LENGTH) return prefix
  throw new TypeError(
    `The prefix of state keys must be a string of at most ${MAX_STATE_KEY_LENGTH} characters.`,
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
    throw new TypeError('The note of ctx.progress must be a string.')
  }
  return { fraction, note: note?.slice(0, MAX_PROGRESS_NOTE) ?? null }
}

const named = (name: string, message: string, code: string): Error =>
  Object.assign(new Error(message), { name, code })

const checkValue = (value: unknown): string => {
  const json = stringify(value)
  if (json === undefined) throw new TypeError('A state value must be what JSON can hold.')
  if (!isLargerThan(json, MAX_STATE_VALUE_BYTES)) return json
  throw named(
    'StateTooLarge',
    'A state value holds at most 256 KiB as JSON. Keep less, or split it over several keys.',
    'state_too_large',
  )
}

/** The pause grows with each try and is random, so that two jobs do not collide again. */
const pauseAfter = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, random() * Math.min(MAX_UPDATE_PAUSE_MS, 2 ** Math.min(tries, 10)))
  })

const update = async (call: CallHost, key: string, change: unknown): Promise<unknown> => {
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

const list = async (call: CallHost, prefix: string): Promise<readonly string[]> => {
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

const stateOf = (call: CallHost): StateAccess => ({
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

/** The calls of one job. */
export const accessOf = (
  job: GuestJob,
  call: CallHost,
  { maxInputBytes, ...starts }: AccessOptions,
): JobAccess => ({
  state: stateOf(call),
  ...startCallsOf(job, call, { maxBytes: maxInputBytes, ...starts }),
  cancel: async (id, options) => {
    const { value } = await call({ operation: 'cancel', head: cancelHead(id, options) })
    return { canceled: value === true }
  },
  durable: durableHostOf(call, maxInputBytes),
  getResumeUrls: async (options) => {
    const head = { approver: checkApprover(options) }
    const { value } = await call({ operation: 'resumeUrls', head })
    return value
  },
  progress: async (fraction, note) => {
    const head = checkProgress(fraction, note)
    // a progress note is only information, so a job does not fail if svc cannot accept it
    await call({ operation: 'progress', head }).catch(() => undefined)
  },
})
