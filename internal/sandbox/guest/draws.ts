/**
 * The values of `ctx.now()`, `ctx.random()` and `ctx.uuid()` outside of
 * steps. They are recorded, so that a later attempt draws the same.
 */
import { MAX_DRAWS } from '#core/durable/limits.ts'

export type Drawn = number | string

export type Draws = Readonly<{
  now: () => number
  random: () => number
  uuid: () => string
  /** Whether there are values that are not recorded yet. */
  hasPending: () => boolean
  /** Takes the values that are not recorded yet, each once. */
  take: () => readonly Drawn[]
  /** Drops recorded values that were not drawn again. @returns the number of draws so far */
  cut: () => number
}>

// saved before user code can replace them
const clockNow = Date.now
const { random } = Math
const newUuid = crypto.randomUUID.bind(crypto)

const isNumber = (value: unknown): value is number => typeof value === 'number'
const isText = (value: unknown): value is string => typeof value === 'string'

const tooMany = (): Error =>
  Object.assign(
    new Error(
      `A job calls ctx.now(), ctx.random() and ctx.uuid() at most ${MAX_DRAWS} times outside of steps.`,
    ),
    { name: 'TooManyDraws' },
  )

/**
 * @param recorded values that earlier attempts drew, in the order of the calls
 * @param isInStep whether the function of a step is running; its result is recorded, so its draws are not
 */
export const createDraws = (
  recorded: readonly Drawn[],
  isInStep: () => boolean,
  clock: () => number = clockNow,
): Draws => {
  let pending: Drawn[] = []
  let count = 0
  let known = recorded.length

  const draw = <Value extends Drawn>(
    make: () => Value,
    isValue: (value: unknown) => value is Value,
  ): Value => {
    if (isInStep()) return make()
    count += 1
    if (count > MAX_DRAWS) throw tooMany()
    const before = count <= known ? recorded[count - 1] : undefined
    if (isValue(before)) return before
    const value = make()
    pending.push(value)
    return value
  }

  return {
    now: () => draw(clock, isNumber),
    random: () => draw(random, isNumber),
    uuid: () => draw(newUuid, isText),
    cut: () => {
      known = Math.min(known, count)
      return count
    },
    hasPending: () => pending.length > 0,
    take: () => {
      const taken = pending
      pending = []
      return taken
    },
  }
}
