/** Describes any value that user code threw. */
import type { GuestIo } from './io/guest-io.ts'

export type Failure = Readonly<{
  name: string
  message: string
  /** The failure is not retried. */
  isFinal?: true
}>

const MAX_NAME = 200
/** The host refuses longer messages. */
export const MAX_MESSAGE = 16 * 1024

const textOf = (value: unknown, key: 'name' | 'message'): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const text: unknown = Reflect.get(value, key)
  return typeof text === 'string' ? text : null
}

/** The property with which the SDK marks its `NonRetryableError`. */
const NON_RETRYABLE = Symbol.for('svc.nonRetryable')

/** An error of this name counts too, so that a script without the SDK can throw one. */
const isMarkedFinal = (thrown: unknown, name: string): boolean =>
  name === 'NonRetryableError' ||
  (typeof thrown === 'object' && thrown !== null && Reflect.get(thrown, NON_RETRYABLE) === true)

/** Treats any object with a message as an error, because `instanceof` fails for errors of other realms. */
const readError = (thrown: unknown, format: GuestIo['format']): Failure => {
  const message = textOf(thrown, 'message')
  if (message === null) return { name: 'Error', message: format([thrown]) }
  const name = textOf(thrown, 'name')
  return { name: name === null || name === '' ? 'Error' : name, message }
}

/** Never throws, though getters and proxies of the thrown value may. */
export const describeThrown = (thrown: unknown, format: GuestIo['format']): Failure => {
  try {
    const { name, message } = readError(thrown, format)
    const failure = { name: name.slice(0, MAX_NAME), message: message.slice(0, MAX_MESSAGE) }
    return isMarkedFinal(thrown, name) ? { ...failure, isFinal: true } : failure
  } catch {
    return { name: 'Error', message: 'The action threw a value that cannot be read.' }
  }
}

/** Returns the `code` of an error, which scripts check. Never throws. */
export const codeOf = (thrown: unknown): Readonly<{ code?: string }> => {
  try {
    const code: unknown =
      typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined
    return typeof code === 'string' && code.length <= MAX_NAME ? { code } : {}
  } catch {
    return {}
  }
}

/** The stack for the log, empty when the thrown value has none. */
export const stackOf = (thrown: unknown, format: GuestIo['format']): string => {
  try {
    if (typeof thrown !== 'object' || thrown === null) return ''
    return typeof Reflect.get(thrown, 'stack') === 'string' ? format([thrown]) : ''
  } catch {
    return ''
  }
}

const FRAME_LOCATION = /(?:\(|at (?:async )?)([^\s()]+):\d+:\d+\)?$/m

/** The location of the guest's own code, so that its frames are left out of the author's stack traces. */
export const ownLocation = (): string | null =>
  FRAME_LOCATION.exec(new Error('here').stack ?? '')?.[1] ?? null
