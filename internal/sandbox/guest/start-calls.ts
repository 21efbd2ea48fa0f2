/** `ctx.run` and `ctx.startFlow` of a job: the host starts the job or flow run and answers its id. */
import type { AnswerMessage } from '../protocol/messages.ts'
import type { HostAccess } from './context.ts'
import type { GuestJob } from './job.ts'

/** What a call sends. */
export type StartRequest = Readonly<{ operation: 'start'; head: object; valueJson: string }>
type Call = (request: StartRequest) => Promise<AnswerMessage>

const MAX_TARGET_LENGTH = 200
const MAX_OPTIONS_LENGTH = 4_096
const { parse, stringify } = JSON
const encoder = new TextEncoder()

const refused = (message: string, code: string): Error =>
  Object.assign(new TypeError(message), { code })

/** @throws {TypeError} */
export const checkTarget = (target: unknown): string => {
  if (typeof target === 'string' && target !== '' && target.length <= MAX_TARGET_LENGTH) {
    return target
  }
  throw refused('Name what to start by a text: its key, or app/key.', 'bad_key')
}

const isTooLarge = (json: string, maxBytes: number): boolean =>
  json.length > maxBytes || (json.length * 3 > maxBytes && encoder.encode(json).length > maxBytes)

/** @throws {TypeError} */
export const inputText = (input: unknown, maxBytes: number): string => {
  const json = input === undefined ? '{}' : stringify(input)
  if (json === undefined) throw refused('The input must be what JSON can hold.', 'not_an_object')
  if (!isTooLarge(json, maxBytes)) return json
  throw refused(`The input is larger than ${maxBytes} bytes.`, 'too_large')
}

/** A copy without getters, so that what was measured is what is sent. */
export const copyOptions = (options: unknown): unknown => {
  if (options === undefined) return {}
  const json = stringify(options)
  if (json !== undefined && json.length <= MAX_OPTIONS_LENGTH) return parse(json)
  throw refused('The options must be an object of texts and numbers.', 'invalid')
}

/** The step whose function makes the call counts it [durable 3.7]. */
type Counter = Readonly<{ name?: string }> & { starts: number }

/**
 * @param maxBytes of an input, as JSON
 * @param stepOf the step whose function runs
 * @returns the calls of one job
 */
export const startCallsOf = (
  job: GuestJob,
  call: Call,
  { maxBytes, stepOf }: Readonly<{ maxBytes: number; stepOf: () => Counter | undefined }>,
): Pick<HostAccess, 'run' | 'startFlow'> => {
  const start = async (
    kind: 'action' | 'flow',
    { target, input, options }: Readonly<Record<'target' | 'input' | 'options', unknown>>,
  ): Promise<string> => {
    const step = stepOf()
    const counter = step ?? job
    counter.starts += 1
    const number = counter.starts
    const head = {
      kind,
      target: checkTarget(target),
      number,
      ...(step === undefined ? {} : { step: step.name }),
      options: copyOptions(options),
    }
    const valueJson = inputText(input, maxBytes)
    const { value } = await call({ operation: 'start', head, valueJson })
    return String(value)
  }
  return {
    run: async (target, input, options) => ({
      jobId: await start('action', { target, input, options }),
    }),
    startFlow: async (target, input, options) => ({
      flowRunId: await start('flow', { target, input, options }),
    }),
  }
}
