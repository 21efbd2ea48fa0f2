/** Answers a job's questions about its state, a bounded number at a time. */
import { z } from 'zod'
import { AppError } from '#core/error.ts'
import type { Frame } from './frame-parser.ts'
import type { GuestProcess } from './guest-process.ts'
import { FRAME_KINDS, stateLine } from './protocol.ts'
import type { SandboxCallbacks } from './provider.ts'

const getStateFrame = z.object({ id: z.int().nonnegative(), key: z.string().min(1).max(512) })
const setStateFrame = getStateFrame.extend({ value: z.json() })

/** Questions that a job may have open before it is no longer read. */
const MAX_OPEN_QUESTIONS = 64

type Question = Readonly<{ id: number; answer: () => Promise<unknown> }>

const questionOf = ({ kind, payload }: Frame, callbacks: SandboxCallbacks): Question => {
  if (kind === FRAME_KINDS.getState) {
    const { id, key } = getStateFrame.parse(JSON.parse(payload))
    return { id, answer: () => callbacks.getState(key) }
  }
  const { id, key, value } = setStateFrame.parse(JSON.parse(payload))
  return { id, answer: () => callbacks.setState(key, value) }
}

/** What is told to the script when its state cannot be reached: never a cause that is not meant for callers. */
const reasonOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'The state could not be reached. Try again.'

/** @returns takes one frame; throws when it is no question */
export const createStateDesk = (
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
      guest.send(stateLine({ run: number, id, ...line }))
    }
    void Promise.resolve()
      .then(answer)
      .then(
        (value) => reply({ value: value ?? null }),
        (error: unknown) => reply({ error: reasonOf(error) }),
      )
  }
}
