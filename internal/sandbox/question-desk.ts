/** Answers a job's questions (its state, links for an approval), a bounded number at a time. */
import { z } from 'zod'
import { AppError } from '#core/error.ts'
import type { Frame } from './frame-parser.ts'
import type { GuestProcess } from './guest-process.ts'
import { answerLine, FRAME_KINDS } from './protocol.ts'
import type { SandboxCallbacks } from './provider.ts'

const getStateFrame = z.object({ id: z.int().nonnegative(), key: z.string().min(1).max(512) })
const resumeUrlsFrame = z.object({
  id: z.int().nonnegative(),
  approver: z.string().trim().min(1).max(200),
})
const setStateFrame = getStateFrame.extend({ value: z.json() })

/** Questions that a job may have open before it is no longer read. */
const MAX_OPEN_QUESTIONS = 64

type Question = Readonly<{ id: number; answer: () => Promise<unknown> }>

const questionOf = ({ kind, payload }: Frame, callbacks: SandboxCallbacks): Question => {
  if (kind === FRAME_KINDS.getState) {
    const { id, key } = getStateFrame.parse(JSON.parse(payload))
    return { id, answer: () => callbacks.getState(key) }
  }
  if (kind === FRAME_KINDS.resumeUrls) {
    const { id, approver } = resumeUrlsFrame.parse(JSON.parse(payload))
    return { id, answer: () => callbacks.getResumeUrls(approver) }
  }
  const { id, key, value } = setStateFrame.parse(JSON.parse(payload))
  return { id, answer: () => callbacks.setState(key, value) }
}

export const isQuestion = ({ kind }: Frame): boolean =>
  kind === FRAME_KINDS.getState || kind === FRAME_KINDS.setState || kind === FRAME_KINDS.resumeUrls

/** What is told to the script when there is no answer: never a cause that is not meant for callers. */
const reasonOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'svc could not answer. Try again.'

/** @returns takes one frame; throws when it is no question */
export const createQuestionDesk = (
  guest: GuestProcess,
  number: number,
  callbacks: SandboxCallbacks,
): ((frame: Frame) => void) => {
  let open = 0
  return (frame) => {
    const { id, answer } = questionOf(frame, callbacks)
    open += 1
    if (open === MAX_OPEN_QUESTIONS) guest.pause()
    const reply = (line: Readonly<{ value?: unknown; error?: string }>): void => {
      open -= 1
      if (open === MAX_OPEN_QUESTIONS - 1) guest.resume()
      guest.send(answerLine({ run: number, id, ...line }))
    }
    void Promise.resolve()
      .then(answer)
      .then(
        (value) => reply({ value: value ?? null }),
        (error: unknown) => reply({ error: reasonOf(error) }),
      )
  }
}
