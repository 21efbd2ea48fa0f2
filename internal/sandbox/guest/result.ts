/** Turns the return value of `main` into a JSON text within its limit, or into the reason why it cannot be one. */
import { type Failure, MAX_MESSAGE } from './failure.ts'
import { isLargerThan } from './text-size.ts'

export type ResultText = Readonly<{ json: string }> | Readonly<{ failure: Failure }>

const { stringify } = JSON

const invalidResult = (message: string): ResultText => ({
  failure: { name: 'InvalidResult', message: message.slice(0, MAX_MESSAGE) },
})

/** Follows JSON.stringify: undefined becomes null, a Date becomes its text, and functions in objects are left out. */
export const toResult = (value: unknown, limitBytes: number): ResultText => {
  if (value === undefined) return { json: 'null' }
  let json: string | undefined
  try {
    json = stringify(value)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return invalidResult(`main must return what JSON can hold: ${reason}`)
  }
  if (json === undefined) {
    return invalidResult(
      `main must return what JSON can hold, not a value of type ${typeof value}.`,
    )
  }
  if (isLargerThan(json, limitBytes)) {
    return {
      failure: {
        name: 'ResultTooLarge',
        message: `The result is larger than ${limitBytes} bytes. Return less, or store it and return where it is.`,
      },
    }
  }
  return { json }
}
