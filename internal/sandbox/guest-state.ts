/** `ctx.state` seen from the guest: questions to the host, answered in any order. */
import type { StateAccess } from './guest-context.ts'
import type { GuestJob } from './guest-job.ts'
import type { HostMessage } from './protocol.ts'

type StateMessage = Extract<HostMessage, { t: 'state' }>
type Waiting = Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>
type Operation = 'getState' | 'setState'

export type StateQuestions = Readonly<{
  /** The `ctx.state` of one job. Refuses once the job has ended. */
  accessFor: (job: GuestJob) => StateAccess
  /** Resolves when the host owes no answer. */
  answered: () => Promise<void>
}>

export type StateHost = Readonly<{
  ask: (job: GuestJob, operation: Operation, payload: string) => void
  /** The host's next line; while a question is open it is an answer. */
  nextMessage: () => Promise<HostMessage>
}>

const MAX_KEY_LENGTH = 512
const { stringify } = JSON

const checkKey = (key: unknown): string => {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY_LENGTH) return key
  throw new TypeError(`A state key must be a text of 1 to ${MAX_KEY_LENGTH} characters.`)
}

const checkValue = (value: unknown): string => {
  const json = stringify(value)
  if (json === undefined) throw new TypeError('A state value must be what JSON can hold.')
  return json
}

export const createStateQuestions = ({ ask, nextMessage }: StateHost): StateQuestions => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let answering = Promise.resolve()

  const settle = ({ id, value, error }: StateMessage): void => {
    const found = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) found?.resolve(value)
    else found?.reject(new Error(error))
  }

  /** Reads on only while an answer is owed: between jobs the guest blocks. */
  const takeAnswers = async (): Promise<void> => {
    while (waiting.size > 0) {
      const message = await nextMessage()
      if (message.t === 'state') settle(message)
    }
  }

  const question = (job: GuestJob, operation: Operation, rest: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (job.ended) {
        reject(new Error('The job has ended: its state can no longer be reached.'))
        return
      }
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      ask(job, operation, `{"id":${lastId},${rest}}`)
      if (waiting.size === 1) answering = takeAnswers()
    })

  return {
    accessFor: (job) => ({
      get: async (key) => question(job, 'getState', `"key":${stringify(checkKey(key))}`),
      set: async (key, value) => {
        const rest = `"key":${stringify(checkKey(key))},"value":${checkValue(value)}`
        await question(job, 'setState', rest)
      },
    }),
    answered: () => answering,
  }
}
