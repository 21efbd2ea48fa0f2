/** `ctx.run`, `ctx.startFlow` and `ctx.sendEvent` of a job. The host starts the work or sends the event, and returns its id. */
import type { AnswerMessage } from '../protocol/messages.ts'
import type { HostAccess } from './context.ts'
import type { SaveDraws } from './draw-saver.ts'
import type { GuestJob } from './job.ts'
import { isLargerThan } from './text-size.ts'

/** The request of a call. */
export type StartRequest = Readonly<{ operation: 'start'; head: object; valueJson: string }>
type Call = (request: StartRequest) => Promise<AnswerMessage>

const MAX_TARGET_LENGTH = 200
const MAX_OPTIONS_LENGTH = 4_096
const { parse, stringify } = JSON

const refused = (message: string, code: string): Error =>
  Object.assign(new TypeError(message), { code })

/** @throws {TypeError} */
export const checkTarget = (target: unknown): string => {
  if (typeof target === 'string' && target !== '' && target.length <= MAX_TARGET_LENGTH) {
    return target
  }
  throw refused('Name what to start by a text: its key, or app/key.', 'bad_key')
}

/** @throws {TypeError} */
const checkName = (name: unknown): string => {
  if (typeof name === 'string' && name !== '' && name.length <= MAX_TARGET_LENGTH) return name
  throw refused('Name the event by a text, such as order.paid.', 'invalid')
}

/** @throws {TypeError} */
const eventOf = (fields: unknown): Readonly<{ data: unknown; options: object }> => {
  if (fields === undefined) return { data: null, options: {} }
  if (typeof fields !== 'object' || fields === null) {
    throw refused('ctx.sendEvent takes a name and { key, data, id }.', 'invalid')
  }
  const { data = null, ...options }: Readonly<{ data?: unknown }> = { ...fields }
  return { data, options }
}

/** @throws {TypeError} */
const dataText = (data: unknown, maxBytes: number): string => {
  const json = stringify(data)
  if (json === undefined) throw refused('The data must be what JSON can hold.', 'invalid')
  if (!isLargerThan(json, maxBytes)) return json
  throw refused(`The data is larger than ${maxBytes} bytes.`, 'too_large')
}

/** @throws {TypeError} */
export const inputText = (input: unknown, maxBytes: number): string => {
  const json = input === undefined ? '{}' : stringify(input)
  if (json === undefined) throw refused('The input must be what JSON can hold.', 'not_an_object')
  if (!isLargerThan(json, maxBytes)) return json
  throw refused(`The input is larger than ${maxBytes} bytes.`, 'too_large')
}

/** Copies the options without getters, so that the text that was measured is the one that is sent. */
export const copyOptions = (options: unknown): unknown => {
  if (options === undefined) return {}
  const json = stringify(options)
  if (json !== undefined && json.length <= MAX_OPTIONS_LENGTH) return parse(json)
  throw refused('The options must be an object of texts and numbers.', 'invalid')
}

/** Counts the calls of a job or, within the function of a step, of that step [durable 3.7]. */
type Counter = Readonly<{ name?: string }> & { starts: number }

export type StartOptions = Readonly<{
  /** Maximum size of an input, as JSON. */
  maxBytes: number
  /** The step whose function is running. */
  stepOf: () => Counter | undefined
  /** A later attempt starts nothing again, so it must draw the same values. */
  saveDraws: SaveDraws
}>

/** @returns the calls of one job */
export const startCallsOf = (
  job: GuestJob,
  call: Call,
  { maxBytes, stepOf, saveDraws }: StartOptions,
): Pick<HostAccess, 'run' | 'startFlow' | 'sendEvent'> => {
  const ask = async (
    kind: 'action' | 'flow' | 'event',
    read: () => Readonly<{ target: string; options: unknown; valueJson: string }>,
  ): Promise<string> => {
    const step = stepOf()
    const counter = step ?? job
    counter.starts += 1
    const number = counter.starts
    const { target, options, valueJson } = read()
    const within = step === undefined ? {} : { step: step.name }
    const head = { kind, target, number, ...within, options: copyOptions(options) }
    // the values before a step are recorded, and those that its function draws are not
    const saving = step === undefined ? saveDraws() : null
    // a call that needs not wait is sent at once, because the script may end without waiting for it
    if (saving !== null) await saving
    const { value } = await call({ operation: 'start', head, valueJson })
    return String(value)
  }
  const start = (
    kind: 'action' | 'flow',
    { target, input, options }: Readonly<Record<'target' | 'input' | 'options', unknown>>,
  ): Promise<string> =>
    ask(kind, () => ({
      target: checkTarget(target),
      options,
      valueJson: inputText(input, maxBytes),
    }))
  return {
    run: async (target, input, options) => ({
      jobId: await start('action', { target, input, options }),
    }),
    startFlow: async (target, input, options) => ({
      flowRunId: await start('flow', { target, input, options }),
    }),
    sendEvent: async (name, fields) => ({
      eventId: await ask('event', () => {
        const { data, options } = eventOf(fields)
        return { target: checkName(name), options, valueJson: dataText(data, maxBytes) }
      }),
    }),
  }
}
