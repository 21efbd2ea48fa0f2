/** What a job may ask the host: its state, and links for an approval. Answered in any order. */
import type { HostAccess } from './guest-context.ts'
import type { GuestJob } from './guest-job.ts'
import type { HostMessage } from './protocol.ts'

type Answer = Extract<HostMessage, { t: 'answer' }>
type Waiting = Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>
type Operation = 'getState' | 'setState' | 'resumeUrls'

export type GuestQuestions = Readonly<{
  /** Of one job. Refuses once the job has ended. */
  accessFor: (job: GuestJob) => HostAccess
  /** Resolves when the host owes no answer. */
  answered: () => Promise<void>
}>

export type QuestionedHost = Readonly<{
  ask: (job: GuestJob, operation: Operation, payload: string) => void
  /** The host's next line; while a question is open it is an answer. */
  nextMessage: () => Promise<HostMessage>
}>

const MAX_KEY_LENGTH = 512
const MAX_APPROVER_LENGTH = 200
const { stringify } = JSON
/** Contract, fine print 13. */
const DEFAULT_APPROVER = 'external'

const checkKey = (key: unknown): string => {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY_LENGTH) return key
  throw new TypeError(`A state key must be a text of 1 to ${MAX_KEY_LENGTH} characters.`)
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

const checkValue = (value: unknown): string => {
  const json = stringify(value)
  if (json === undefined) throw new TypeError('A state value must be what JSON can hold.')
  return json
}

export const createGuestQuestions = ({ ask, nextMessage }: QuestionedHost): GuestQuestions => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let answering = Promise.resolve()

  const settle = ({ id, value, error }: Answer): void => {
    const found = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) found?.resolve(value)
    else found?.reject(new Error(error))
  }

  /** Reads on only while an answer is owed: between jobs the guest blocks. */
  const takeAnswers = async (): Promise<void> => {
    while (waiting.size > 0) {
      const message = await nextMessage()
      if (message.t === 'answer') settle(message)
    }
  }

  const question = (job: GuestJob, operation: Operation, rest: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (job.ended) {
        reject(new Error('The job has ended: it can ask svc for nothing more.'))
        return
      }
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      ask(job, operation, `{"id":${lastId},${rest}}`)
      if (waiting.size === 1) answering = takeAnswers()
    })

  return {
    accessFor: (job) => ({
      state: {
        get: async (key) => question(job, 'getState', `"key":${stringify(checkKey(key))}`),
        set: async (key, value) => {
          const rest = `"key":${stringify(checkKey(key))},"value":${checkValue(value)}`
          await question(job, 'setState', rest)
        },
      },
      getResumeUrls: async (options) =>
        question(job, 'resumeUrls', `"approver":${stringify(checkApprover(options))}`),
    }),
    answered: () => answering,
  }
}
