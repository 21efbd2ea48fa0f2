/** The surroundings of an action under test besides its durable steps: state, events, and what it starts. */
import { format } from 'node:util'
import { AppError } from '../internal/core/error.ts'
import {
  readEventCall,
  readStartOptions,
  refuseCallOptions,
} from '../internal/core/job/start-call.ts'
import { readTarget, requireInput } from '../internal/core/job/start-target.ts'
import type { JsonValue } from '../internal/core/json/value.ts'
import { describeThrown } from '../internal/sandbox/guest/failure.ts'
import type { HostRequest } from '../internal/sandbox/guest/host-access.ts'
import { toResult } from '../internal/sandbox/guest/result.ts'
import type { StepBegin, StepEnd } from '../internal/sandbox/guest/step-records.ts'
import type { Json, ResumeUrls } from './mod.ts'
import type { CalledEnd, TestJournal } from './testing-journal.ts'
import type { TestDurableOptions, TestedCancel, TestedStart } from './testing-types.ts'

/** The limit of results and inputs, as a server has it by default. */
export const MAX_BYTES = 4_194_304

export const formatValues = (values: readonly unknown[]): string => format(...values)

/** A refusal of the server, which reaches the action as an error with a code. */
class Refusal extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** The app of the action under test (testing-run.ts). */
const APP = 'test'

/** Applies a rule of the server. @throws {Refusal} */
const checked = <T>(check: () => T): T => {
  try {
    return check()
  } catch (error) {
    throw error instanceof AppError ? new Refusal(error.message, error.code) : error
  }
}

/** @throws {Refusal} the target, the name of the event or an option is refused */
const checkCall = (kind: TestedStart['kind'], target: string, options: unknown): void =>
  checked(() => {
    if (kind === 'event') return void readEventCall({ target, options })
    readTarget({ kind, target }, APP)
    readStartOptions(kind, options)
  })

/** The part of a call's head that the guest has checked. */
type Head = Readonly<Record<string, unknown>>
type Answer = Readonly<{ value?: unknown; version?: string | null }>

/** As in `svc dev flow`. */
const LINKS: ResumeUrls = {
  approvalPage: 'http://localhost/approval',
  approve: 'http://localhost/approve',
  reject: 'http://localhost/reject',
}

/** Sorts like a server, which compares bytes. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const createState = (initial: TestDurableOptions['state'] = {}) => {
  const values = new Map<string, Json>(Object.entries(initial))
  const versions = new Map<string, string>()
  let writes = 0
  const set = (key: string, valueJson: string): void => {
    writes += 1
    values.set(key, JSON.parse(valueJson))
    versions.set(key, String(writes))
  }
  const versionOf = (key: string): string | null =>
    values.has(key) ? (versions.get(key) ?? 'initial') : null
  return {
    values,
    get: (key: string): Answer => ({
      value: structuredClone(values.get(key) ?? null),
      version: versionOf(key),
    }),
    set,
    swap: (key: string, version: unknown, valueJson: string): boolean => {
      const isSame = versionOf(key) === version
      if (isSame) set(key, valueJson)
      return isSame
    },
    list: (prefix: string) => ({
      keys: [...values.keys()].filter((key) => key.startsWith(prefix)).toSorted(byBytes),
      hasMore: false,
    }),
  }
}

/** What the action has started and sent, each call once however often `main` runs from the top [jobs 15.3]. */
const createStarts = (journal: TestJournal) => {
  const started: TestedStart[] = []
  const ids = new Map<string, Readonly<{ id: string; target: string }>>()

  return {
    started,
    start: ({ kind, target, number, step, options }: Head, data: JsonValue): string => {
      const about = { kind: kind as TestedStart['kind'], target: String(target) }
      checkCall(about.kind, about.target, options)
      const { idempotencyKey, id: eventId, key: eventKey } = Object(options)
      const key = JSON.stringify([idempotencyKey ?? eventId ?? null, step ?? null, number])
      const named = idempotencyKey ?? eventId
      const place = named === undefined ? key : JSON.stringify([kind === 'event', named])
      const first = ids.get(place)
      const text = `${String(kind)} ${String(target)}`
      if (first !== undefined) {
        if (first.target === text || kind === 'event') return first.id
        const message = 'This key has started another target. Use a key of its own for each target.'
        throw new Refusal(message, 'idempotency_mismatch')
      }
      if (kind !== 'event') checked(() => requireInput(data))
      // of an event, all that the action has given
      started.push({ ...about, data: kind === 'event' ? { ...Object(options), data } : data })
      const id = String(eventId ?? `${about.kind}-${started.length}`)
      ids.set(place, { id, target: text })
      if (kind === 'event') journal.deliver({ id, name: about.target, key: eventKey ?? null, data })
      return id
    },
  }
}

/** What the action has canceled, each once. Everything is open until then. */
const createCancels = () => {
  const canceled: TestedCancel[] = []
  return {
    canceled,
    cancel: ({ target, reason }: Head): boolean => {
      const id = String(target)
      const isOpen = !canceled.some((each) => each.id === id)
      if (isOpen) canceled.push({ id, reason: reason === null ? null : String(reason) })
      return isOpen
    },
  }
}

type CallStep = Extract<StepBegin, { kind: 'job' }>

/** @throws {Refusal} the call is refused, as by a server */
const findCalled = (
  { actions, flows }: Pick<TestDurableOptions, 'actions' | 'flows'>,
  { calls, target: named, options }: CallStep,
  input: JsonValue,
): (() => unknown) => {
  const target = String(named)
  checked(() => refuseCallOptions(calls, options))
  checkCall(calls, target, options)
  const act = (calls === 'flow' ? flows : actions)?.[target]
  if (act === undefined) {
    const message =
      calls === 'flow'
        ? `Flow "${target}" not found. Name it in the flows of the test.`
        : `Action "${target}" not found. Name it in the actions of the test.`
    throw new Refusal(message, `${calls}_not_found`)
  }
  const given = checked(() => requireInput(input))
  return () => act({ ...given })
}

/** Runs the called action or flow to its end at once. */
const runCalled = async (act: () => unknown): Promise<CalledEnd> => {
  try {
    const result = toResult(await act(), MAX_BYTES)
    if ('json' in result) return { value: JSON.parse(result.json) }
    const { name, message } = result.failure
    return { error: { name, message } }
  } catch (thrown) {
    const { name, message } = describeThrown(thrown, formatValues)
    return { error: { name, message } }
  }
}

/** Answers the calls of the action, in place of a server. */
export const createTestWorld = (options: TestDurableOptions, journal: TestJournal) => {
  const state = createState(options.state)
  const { started, start } = createStarts(journal)
  const { canceled, cancel } = createCancels()

  const call = async (step: CallStep, input: JsonValue): Promise<CalledEnd> => {
    try {
      return await runCalled(findCalled(options, step, input))
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused
      const { message, code } = refused
      return { error: { name: 'Error', message, code } }
    }
  }

  const beginStep = async (step: StepBegin, input: JsonValue): Promise<unknown> => {
    if (step.kind !== 'job') return journal.begin(step)
    return journal.beginCall(step, await call(step, input))
  }

  /** @throws {Error} the call is refused */
  const answer = async ({ operation, head, valueJson = 'null' }: HostRequest): Promise<Answer> => {
    const given: Head = { ...head }
    const key = String(given.key)
    switch (operation) {
      case 'getState':
        return state.get(key)
      case 'setState':
        return { value: state.set(key, valueJson) }
      case 'swapState':
        return { value: state.swap(key, given.version, valueJson) }
      case 'deleteState':
        return { value: state.values.delete(key) }
      case 'listState':
        return { value: state.list(String(given.prefix)) }
      case 'start':
        return { value: start(given, JSON.parse(valueJson)) }
      case 'cancel':
        return { value: cancel(given) }
      case 'recordStep':
        // the guest is trusted: its requests have the shapes of step-records.ts
        return { value: journal.record(head as StepEnd, JSON.parse(valueJson)) }
      case 'recordHistory':
        return { value: journal.recordHistory((head as Pick<StepEnd, 'history'>).history) }
      case 'beginStep':
        return { value: await beginStep(head as StepBegin, JSON.parse(valueJson)) }
      case 'resumeUrls':
        if (options.flow !== undefined) return { value: LINKS }
        throw new Refusal(
          'ctx.approval.getResumeUrls() is for the action just before an approval step of a flow, and for its reminders.',
          'conflict',
        )
      default:
        return {}
    }
  }

  return { answer, started, canceled, state: state.values }
}

export type TestWorld = ReturnType<typeof createTestWorld>
