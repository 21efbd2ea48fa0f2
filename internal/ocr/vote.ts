/** Several readings of one stretch of text become one: what most of them say; else, sign by sign, what most say there. */
import type { ReadText } from './engine.ts'

const squeeze = (text: string): string => text.replace(/\s+/g, '')
const weightOf = ({ confidence }: ReadText): number => confidence + 1

/** The key that has the most weight. */
const heaviest = <Key>(weights: ReadonlyMap<Key, number>): Key | undefined =>
  [...weights].toSorted(([, one], [, other]) => other - one)[0]?.[0]

const weigh = <Key>(
  readings: readonly ReadText[],
  keyOf: (reading: ReadText) => Key,
): ReadonlyMap<Key, number> => {
  const weights = new Map<Key, number>()
  for (const reading of readings) {
    const key = keyOf(reading)
    weights.set(key, (weights.get(key) ?? 0) + weightOf(reading))
  }
  return weights
}

/** A text with its signs replaced, its blanks kept. */
const withSigns = (text: string, signs: readonly string[]): string => {
  const rest = [...signs]
  return [...text].map((sign) => (/\s/.test(sign) ? sign : (rest.shift() ?? ''))).join('')
}

const voteBySign = (readings: readonly ReadText[]): ReadText => {
  const surest = readings.reduce((one, other) => (other.confidence > one.confidence ? other : one))
  const length = heaviest(weigh(readings, ({ text }) => [...squeeze(text)].length)) ?? 0
  const voters = readings.filter(({ text }) => [...squeeze(text)].length === length)
  const [first] = voters
  if (first === undefined || voters.length < 2) return surest
  const signs = Array.from(
    { length },
    (_, at) => heaviest(weigh(voters, ({ text }) => [...squeeze(text)][at] ?? '')) ?? '',
  )
  const mean = voters.reduce((sum, { confidence }) => sum + confidence, 0) / voters.length
  return { text: withSigns(first.text, signs), confidence: mean }
}

/** @param readings at least one */
export const vote = (readings: readonly ReadText[]): ReadText => {
  const groups = Map.groupBy(readings, ({ text }) => squeeze(text))
  const most = [...groups.values()].toSorted((one, other) => other.length - one.length)[0] ?? []
  if (most.length * 2 <= readings.length) return voteBySign(readings)
  return most.reduce((one, other) => (other.confidence > one.confidence ? other : one))
}

/**
 * A first reading that others may overrule: only when they agree with each other and each is surer. A majority alone is
 * not enough: larger pictures of good print are read worse, and in the same way.
 */
export const overrule = (first: ReadText, others: readonly ReadText[]): ReadText => {
  const [one, ...rest] = others
  if (one === undefined) return first
  const agree = rest.every(({ text }) => squeeze(text) === squeeze(one.text))
  const areSurer = others.every(({ confidence }) => confidence > first.confidence)
  return agree && areSurer ? one : first
}
