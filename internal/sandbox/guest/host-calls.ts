/** Sends the calls of a job to the host. Responses come in any order. */
import {
  type AnswerMessage,
  type CancelMessage,
  type FrameName,
  type HostMessage,
  MAX_OPEN_CALLS,
  VALUE_MARK,
} from '../protocol/messages.ts'
import { type AccessOptions, accessOf, type HostRequest, type JobAccess } from './host-access.ts'
import type { GuestJob } from './job.ts'

type Waiting = Readonly<{
  resolve: (answer: AnswerMessage) => void
  reject: (error: Error) => void
}>

export type HostCalls = Readonly<{
  /** The calls of one job. After it has ended, those of other jobs are refused, and its own never settle. */
  accessFor: (job: GuestJob, options: AccessOptions) => JobAccess
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
  /** The job whose code runs. */
  caller: () => GuestJob | undefined
}>

const { stringify } = JSON

const refusalOf = ({ error, name = 'Error', code, details }: AnswerMessage): Error =>
  Object.assign(
    new Error(error),
    name === 'Error' ? {} : { name },
    code === undefined ? {} : { code },
    details === undefined ? {} : { details },
  )

/** Gives a refusal the frames of the call, because it comes later and its own frames are those of svc. */
const placed = (refusal: Error, { stack }: Error): Error => {
  const frames = stack?.slice(stack.indexOf('\n') + 1) ?? ''
  refusal.stack = `${refusal.name}: ${refusal.message}\n${frames}`
  return refusal
}

/** Sends calls to the host and matches its responses. @returns the calls of each job */
export const createHostCalls = ({
  send: sendFrame,
  nextMessage,
  caller,
}: CallTransport): HostCalls => {
  const waiting = new Map<number, Waiting>()
  /** Calls that wait, because the host reads only MAX_OPEN_CALLS at a time. */
  const queue: (() => void)[] = []
  let lastId = 0
  let answering = Promise.resolve()
  let isReading = false
  /** Null while no job watches. */
  let onCancel: (() => void) | null = null
  /** Called when no call is open. */
  const onAnswered: (() => void)[] = []

  const settle = (answer: AnswerMessage): void => {
    const found = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (answer.error === undefined) found?.resolve(answer)
    else found?.reject(refusalOf(answer))
    while (waiting.size < MAX_OPEN_CALLS && queue.length > 0) queue.shift()?.()
    if (waiting.size > 0) return
    for (const wake of onAnswered.splice(0)) wake()
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
      onAnswered.push(resolve)
    })

  const send = (
    job: GuestJob,
    { operation, head, valueJson }: HostRequest,
    answer: Waiting,
  ): void => {
    lastId += 1
    waiting.set(lastId, answer)
    const value = valueJson === undefined ? '' : `${VALUE_MARK}${valueJson}`
    sendFrame(job, operation, `${stringify({ id: lastId, ...head })}${value}`)
    read()
  }

  const callHost = (job: GuestJob, request: HostRequest): Promise<AnswerMessage> => {
    const end = job.activity.begin()
    const called = new Error()
    const isOwn = caller() === job
    return new Promise<AnswerMessage>((resolve, reject) => {
      const refuse = (refusal: Error): void => reject(placed(refusal, called))
      const go = (): void => {
        if (!job.ended) send(job, request, { resolve, reject: refuse })
        // code of the ended job does not go on: a loop that ignores refusals would leave no turn to the next job
        else if (!isOwn) reject(new Error('The job has ended: it can ask svc for nothing more.'))
      }
      if (waiting.size < MAX_OPEN_CALLS) go()
      else queue.push(go)
    }).finally(end)
  }

  return {
    accessFor: (job, options) => accessOf(job, (request) => callHost(job, request), options),
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
