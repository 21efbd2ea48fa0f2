/** Answers a job's questions (its state, links for an approval), so many at a time and so many a second. */
import { z } from 'zod'
import { checkStateJson, MAX_STATE_KEY_LENGTH } from '#core/app-state.ts'
import { AppError } from '#core/error.ts'
import {
  type AnswerBody,
  answerLine,
  FRAME_KINDS,
  MAX_OPEN_QUESTIONS,
  VALUE_MARK,
} from '../protocol/messages.ts'
import type { SandboxCallbacks } from '../sandbox.ts'
import type { Frame } from './frame-parser.ts'
import type { GuestProcess } from './process.ts'
import { createJobRate, MAX_REQUESTS_OF_JOB, requestCost } from './request-rate.ts'

const id = z.int().nonnegative()
const key = z.string().min(1).max(MAX_STATE_KEY_LENGTH)
const version = z.string().max(64).nullable()
const keyHead = z.object({ id, key })
const swapHead = z.object({ id, key, version })
const listHead = z.object({
  id,
  prefix: z.string().max(MAX_STATE_KEY_LENGTH),
  after: z.string().max(MAX_STATE_KEY_LENGTH).nullable(),
})
const linksHead = z.object({ id, approver: z.string().trim().min(1).max(200) })

/** Room for two keys with every character escaped. */
const MAX_HEAD_LENGTH = 8_192

type Question = Readonly<{ id: number; answer: () => Promise<AnswerBody> }>
type Parts = Readonly<{ head: unknown; valueJson: string }>

/** The value is not parsed: whoever stores it takes its text. @throws {Error} it is no question */
const partsOf = ({ payload }: Frame): Parts => {
  const end = payload.indexOf(VALUE_MARK)
  const head = end === -1 ? payload : payload.slice(0, end)
  if (head.length > MAX_HEAD_LENGTH) throw new Error('The head of the question is too long.')
  return { head: JSON.parse(head), valueJson: end === -1 ? '' : payload.slice(end + 1) }
}

const done = (): AnswerBody => ({ valueJson: 'null' })

type Reader = (parts: Parts, callbacks: SandboxCallbacks) => Question

const QUESTIONS: Readonly<Record<string, Reader>> = {
  [FRAME_KINDS.getState]: ({ head }, { state }) => {
    const asked = keyHead.parse(head)
    const answer = async (): Promise<AnswerBody> => {
      const entry = await state.get(asked.key)
      return { valueJson: entry?.json ?? 'null', version: entry?.version ?? null }
    }
    return { id: asked.id, answer }
  },
  [FRAME_KINDS.setState]: ({ head, valueJson }, { state }) => {
    const asked = keyHead.parse(head)
    const answer = async (): Promise<AnswerBody> => {
      checkStateJson(valueJson)
      await state.set(asked.key, valueJson)
      return done()
    }
    return { id: asked.id, answer }
  },
  [FRAME_KINDS.swapState]: ({ head, valueJson }, { state }) => {
    const asked = swapHead.parse(head)
    const answer = async (): Promise<AnswerBody> => {
      checkStateJson(valueJson)
      const isSet = await state.compareAndSet(asked.key, valueJson, asked.version)
      return { valueJson: String(isSet) }
    }
    return { id: asked.id, answer }
  },
  [FRAME_KINDS.deleteState]: ({ head }, { state }) => {
    const asked = keyHead.parse(head)
    return { id: asked.id, answer: () => state.delete(asked.key).then(done) }
  },
  [FRAME_KINDS.listState]: ({ head }, { state }) => {
    const asked = listHead.parse(head)
    const answer = async (): Promise<AnswerBody> => ({
      valueJson: JSON.stringify(await state.list(asked.prefix, asked.after)),
    })
    return { id: asked.id, answer }
  },
  [FRAME_KINDS.resumeUrls]: ({ head }, { getResumeUrls }) => {
    const asked = linksHead.parse(head)
    const answer = async (): Promise<AnswerBody> => ({
      valueJson: JSON.stringify(await getResumeUrls(asked.approver)),
    })
    return { id: asked.id, answer }
  },
}

export const isQuestion = ({ kind }: Frame): boolean => QUESTIONS[kind] !== undefined

/** Names that scripts catch by. */
const ERROR_NAMES: Readonly<Record<string, string>> = {
  state_too_large: 'StateTooLarge',
  state_full: 'StateFull',
}

/** What is told to the script when there is no answer: never a cause that is not meant for callers. */
const refusalOf = (error: unknown): AnswerBody => {
  if (!(error instanceof AppError)) return { error: 'svc could not answer. Try again.' }
  const { message, code } = error
  return { error: message, code, name: ERROR_NAMES[code] ?? 'Error' }
}

export type QuestionDeskOptions = Readonly<{
  guest: GuestProcess
  /** Of the run. */
  number: number
  callbacks: SandboxCallbacks
  /** The job has asked more often than a job may. */
  onTooMany: () => void
}>

/** @returns takes one frame; throws when it is no question */
export const createQuestionDesk = (options: QuestionDeskOptions): ((frame: Frame) => void) => {
  const { guest, number, callbacks, onTooMany } = options
  const rate = createJobRate()
  let asked = 0
  let open = 0
  let release: () => void = () => undefined

  /** The job is not read while it owes for what it has asked. */
  const charge = (bytes: number): void => {
    const waitMs = rate.take(requestCost(bytes))
    if (waitMs > 0) setTimeout(guest.hold(), waitMs)
  }

  /** An answer that the job does not read stays open, so that no heap of them grows here. */
  const reply = async (answer: Question): Promise<void> => {
    const body = await answer.answer().catch(refusalOf)
    const line = answerLine({ run: number, id: answer.id }, body)
    charge(line.length)
    await guest.deliver(line)
    open -= 1
    if (open === MAX_OPEN_QUESTIONS - 1) release()
  }

  return (frame) => {
    // it has ended, and takes no answer any more
    if (!guest.alive()) return
    const reader = QUESTIONS[frame.kind]
    if (reader === undefined) return
    asked += 1
    if (asked > MAX_REQUESTS_OF_JOB) {
      onTooMany()
      return
    }
    const question = reader(partsOf(frame), callbacks)
    open += 1
    if (open === MAX_OPEN_QUESTIONS) release = guest.hold()
    charge(frame.payload.length)
    void reply(question)
  }
}
