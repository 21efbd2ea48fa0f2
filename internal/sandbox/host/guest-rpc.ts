/** Handles RPC requests of a guest: state of its app, links of an approval, and what it starts. It limits open calls and their rate. */
import { z } from 'zod'
import { checkStateJson, MAX_STATE_KEY_LENGTH } from '#core/app-state.ts'
import { MAX_STEP_NAME } from '#core/durable/limits.ts'
import { AppError, invalid } from '#core/error.ts'
import { MAX_CANCEL_REASON, MAX_WORK_ID } from '#core/job/cancel-limits.ts'
import { errorNameOf } from '#core/job/error-name.ts'
import { MAX_PROGRESS_NOTE } from '#core/job/progress-note.ts'
import { MAX_START_CALLS, tooManyStarts } from '#core/job/start-call.ts'
import { NO_NUL } from '#core/nul.ts'
import {
  type AnswerBody,
  answerLine,
  FRAME_KINDS,
  MAX_OPEN_CALLS,
  VALUE_MARK,
} from '../protocol/messages.ts'
import type { SandboxCallbacks } from '../sandbox.ts'
import {
  begunText,
  pageText,
  readAddedHistory,
  readStepBegin,
  readStepEnd,
  readStepsAfter,
} from './durable-calls.ts'
import type { Frame } from './frame-parser.ts'
import type { GuestProcess } from './process.ts'
import { createJobRate, MAX_REQUESTS_OF_JOB, requestCost } from './request-rate.ts'

const id = z.int().nonnegative()
const key = z
  .string()
  .min(1)
  .max(MAX_STATE_KEY_LENGTH)
  .refine(...NO_NUL)
const version = z.string().max(64).nullable()
const keyHead = z.object({ id, key })
const swapHead = z.object({ id, key, version })
const listHead = z.object({
  id,
  prefix: z.string().max(MAX_STATE_KEY_LENGTH),
  after: z.string().max(MAX_STATE_KEY_LENGTH).nullable(),
})
const startHead = z.object({
  id,
  kind: z.enum(['action', 'flow', 'event']),
  target: z.string().min(1).max(200),
  number: z.int().positive(),
  /** The durable step that makes the call, absent outside a step. */
  step: z.string().min(1).max(MAX_STEP_NAME).optional(),
  options: z.unknown(),
})
const cancelHead = z.object({
  id,
  target: z
    .string()
    .min(1)
    .max(MAX_WORK_ID)
    .refine(...NO_NUL),
  reason: z.string().min(1).max(MAX_CANCEL_REASON).nullable(),
})
const progressHead = z.object({
  id,
  fraction: z.number().min(0).max(1),
  note: z.string().max(MAX_PROGRESS_NOTE).nullable(),
})
const linksHead = z.object({ id, approver: z.string().trim().min(1).max(200) })

/** Fits two keys with every character escaped. */
const MAX_HEAD_LENGTH = 8_192
/** Larger, because durable steps carry errors and history. */
const MAX_STEP_HEAD_LENGTH = 393_216

type Call = Readonly<{ id: number; answer: () => Promise<AnswerBody> }>
type Parts = Readonly<{ head: unknown; valueJson: string }>

/** Leaves the value unparsed, because it is stored as text. @throws {Error} the frame is not a call */
const partsOf = ({ kind, payload }: Frame): Parts => {
  const end = payload.indexOf(VALUE_MARK)
  const head = end === -1 ? payload : payload.slice(0, end)
  const maxLength = isStepCall(kind) ? MAX_STEP_HEAD_LENGTH : MAX_HEAD_LENGTH
  if (head.length > maxLength) throw new Error('The head of the call is too long.')
  return { head: JSON.parse(head), valueJson: end === -1 ? '' : payload.slice(end + 1) }
}

const done = (): AnswerBody => ({ valueJson: 'null' })

const STEP_CALLS: ReadonlySet<string> = new Set([
  FRAME_KINDS.recordStep,
  FRAME_KINDS.recordHistory,
  FRAME_KINDS.beginStep,
  FRAME_KINDS.readSteps,
])
/** Whether a kind of frame is a call for durable steps. */
export const isStepCall = (kind: string): boolean => STEP_CALLS.has(kind)

const noDurable = (): AppError => invalid('Durable steps are for actions.')

/** The script may catch the refusal of a result and go on, so the history that came with it is recorded. */
const orRecordHistory = async <Value>(
  read: () => Value,
  recordHistory: () => Promise<void>,
): Promise<Value> => {
  try {
    return read()
  } catch (refusal) {
    await recordHistory()
    throw refusal
  }
}

type Reader = (parts: Parts, callbacks: SandboxCallbacks) => Call

const CALLS: Readonly<Record<string, Reader>> = {
  [FRAME_KINDS.getState]: ({ head }, { state }) => {
    const request = keyHead.parse(head)
    const answer = async (): Promise<AnswerBody> => {
      const entry = await state.get(request.key)
      return { valueJson: entry?.json ?? 'null', version: entry?.version ?? null }
    }
    return { id: request.id, answer }
  },
  [FRAME_KINDS.setState]: ({ head, valueJson }, { state }) => {
    const request = keyHead.parse(head)
    const answer = async (): Promise<AnswerBody> => {
      checkStateJson(valueJson)
      await state.set(request.key, valueJson)
      return done()
    }
    return { id: request.id, answer }
  },
  [FRAME_KINDS.swapState]: ({ head, valueJson }, { state }) => {
    const request = swapHead.parse(head)
    const answer = async (): Promise<AnswerBody> => {
      checkStateJson(valueJson)
      const isSet = await state.compareAndSet(request.key, valueJson, request.version)
      return { valueJson: String(isSet) }
    }
    return { id: request.id, answer }
  },
  [FRAME_KINDS.deleteState]: ({ head }, { state }) => {
    const request = keyHead.parse(head)
    return { id: request.id, answer: () => state.delete(request.key).then(done) }
  },
  [FRAME_KINDS.listState]: ({ head }, { state }) => {
    const request = listHead.parse(head)
    const answer = async (): Promise<AnswerBody> => ({
      valueJson: JSON.stringify(await state.list(request.prefix, request.after)),
    })
    return { id: request.id, answer }
  },
  [FRAME_KINDS.start]: ({ head, valueJson }, { start }) => {
    const { id, step, ...call } = startHead.parse(head)
    const within = step === undefined ? {} : { step }
    const answer = async (): Promise<AnswerBody> => ({
      valueJson: JSON.stringify(await start({ ...call, ...within, inputJson: valueJson })),
    })
    return { id, answer }
  },
  [FRAME_KINDS.cancel]: ({ head }, { cancel }) => {
    const { id, target, reason } = cancelHead.parse(head)
    const answer = async (): Promise<AnswerBody> => ({
      valueJson: String(await cancel({ id: target, reason })),
    })
    return { id, answer }
  },
  [FRAME_KINDS.progress]: ({ head }, { onProgress }) => {
    const { id, fraction, note } = progressHead.parse(head)
    const answer = async (): Promise<AnswerBody> => {
      onProgress?.({ fraction, note })
      return done()
    }
    return { id, answer }
  },
  [FRAME_KINDS.recordStep]: (parts, { durable }) => {
    const { id, value, history } = readStepEnd(parts)
    const answer = async (): Promise<AnswerBody> => {
      if (durable === undefined) throw noDurable()
      await durable.record(await orRecordHistory(value, () => durable.recordHistory(history)))
      return done()
    }
    return { id, answer }
  },
  [FRAME_KINDS.recordHistory]: (parts, { durable }) => {
    const { id, value } = readAddedHistory(parts)
    const answer = async (): Promise<AnswerBody> => {
      if (durable === undefined) throw noDurable()
      await durable.recordHistory(value)
      return done()
    }
    return { id, answer }
  },
  [FRAME_KINDS.beginStep]: (parts, { durable }) => {
    const { id, value } = readStepBegin(parts)
    const answer = async (): Promise<AnswerBody> => {
      if (durable === undefined) throw noDurable()
      return { valueJson: begunText(await durable.begin(value)) }
    }
    return { id, answer }
  },
  [FRAME_KINDS.readSteps]: (parts, { durable }) => {
    const { id, value } = readStepsAfter(parts)
    const answer = async (): Promise<AnswerBody> => {
      if (durable === undefined) throw noDurable()
      return { valueJson: pageText(await durable.page(value)) }
    }
    return { id, answer }
  },
  [FRAME_KINDS.resumeUrls]: ({ head }, { getResumeUrls }) => {
    const request = linksHead.parse(head)
    const answer = async (): Promise<AnswerBody> => ({
      valueJson: JSON.stringify(await getResumeUrls(request.approver)),
    })
    return { id: request.id, answer }
  },
}

/** Whether a frame is a call to the host. */
export const isHostCall = ({ kind }: Frame): boolean => CALLS[kind] !== undefined

/** The error that the script gets, without causes that callers must not see. */
const refusalOf = (error: unknown): AnswerBody => {
  if (!(error instanceof AppError)) return { error: 'svc could not answer. Try again.' }
  const { message, code, details } = error
  return {
    error: message,
    code,
    name: errorNameOf(code),
    ...(details === undefined ? {} : { details }),
  }
}

export type GuestRpcOptions = Readonly<{
  guest: Pick<GuestProcess, 'alive' | 'hold' | 'deliver'>
  /** The number of the run, which responses repeat. */
  number: number
  callbacks: SandboxCallbacks
  /** Called when the job has made more calls than a job may. */
  onTooMany: () => void
}>

/** @returns a function that handles one frame and throws if the frame is not a valid call */
export const createGuestRpc = (options: GuestRpcOptions): ((frame: Frame) => void) => {
  const { guest, number, callbacks, onTooMany } = options
  const rate = createJobRate()
  let calls = 0
  let starts = 0
  let open = 0
  let release: () => void = () => undefined

  /** Stops reading output of the job until its rate allows it again. */
  const charge = (bytes: number): void => {
    const waitMs = rate.take(requestCost(bytes))
    if (waitMs > 0) setTimeout(guest.hold(), waitMs)
  }

  /** Keeps a call open until the job has read its response, so that responses do not pile up here. */
  const reply = async (call: Call): Promise<void> => {
    const body = await call.answer().catch(refusalOf)
    const line = answerLine({ run: number, id: call.id }, body)
    charge(line.length)
    await guest.deliver(line)
    open -= 1
    if (open === MAX_OPEN_CALLS - 1) release()
  }

  const checkStarts = ({ kind }: Frame, call: Call): Call => {
    if (kind !== FRAME_KINDS.start) return call
    starts += 1
    return starts <= MAX_START_CALLS
      ? call
      : { ...call, answer: () => Promise.reject(tooManyStarts()) }
  }

  return (frame) => {
    // the guest has ended and reads no response
    if (!guest.alive()) return
    const reader = CALLS[frame.kind]
    if (reader === undefined) return
    calls += 1
    if (calls > MAX_REQUESTS_OF_JOB) {
      onTooMany()
      return
    }
    const call = checkStarts(frame, reader(partsOf(frame), callbacks))
    open += 1
    if (open === MAX_OPEN_CALLS) release = guest.hold()
    charge(frame.payload.length)
    void reply(call)
  }
}
