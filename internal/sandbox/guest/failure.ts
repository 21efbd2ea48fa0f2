/** Describes any value that user code threw. */
import type { GuestIo } from './io/guest-io.ts'

export type Failure = Readonly<{ name: string; message: string }>

const MAX_NAME = 200
const MAX_MESSAGE = 16 * 1024

const textOf = (value: unknown, key: 'name' | 'message'): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const text: unknown = Reflect.get(value, key)
  return typeof text === 'string' ? text : null
}

/** Errors of other realms and look-alikes count: any object with a message is an error. */
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
    return { name: name.slice(0, MAX_NAME), message: message.slice(0, MAX_MESSAGE) }
  } catch {
    return { name: 'Error', message: 'The action threw a value that cannot be read.' }
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
