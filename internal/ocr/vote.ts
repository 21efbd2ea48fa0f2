/** Combines several readings of one text: the text of the majority or, without one, the majority for each character. */
import { squeeze } from '#registry/fields/normal-text.ts'
import type { ReadText } from './engine.ts'

const weightOf = ({ confidence }: ReadText): number => confidence + 1

/** The key with the most weight. */
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

/** Replaces the characters of a text and keeps its blanks. */
const withSigns = (text: string, signs: readonly string[]): string => {
  const rest = [...signs]
  return [...text].map((sign) => (/\s/.test(sign) ? sign : (rest.shift() ?? ''))).join('')
}

const surestOf = (readings: readonly ReadText[]): ReadText =>
  readings.reduce((one, other) => (other.confidence > one.confidence ? other : one))

const voteBySign = (readings: readonly ReadText[]): ReadText => {
  const length = heaviest(weigh(readings, ({ text }) => [...squeeze(text)].length)) ?? 0
  const voters = readings.filter(({ text }) => [...squeeze(text)].length === length)
  const [first] = voters
  if (first === undefined || voters.length < 2) return surestOf(readings)
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
  return surestOf(most)
}

/** The number of further readings, and how many must agree to overrule the first. */
export const FURTHER = 4
const AGREEING = 3

/**
 * Lets further readings, each made in another way, overrule the first one: three of four
 * must agree. A bare majority is not enough, because other pictures of good print are often
 * read worse. It makes only as many readings as can change the outcome.
 * @param further exactly `FURTHER` readings, made on demand
 * @param fits whether a text is as wide as its place
 */
export const overrule = (
  first: ReadText,
  further: Iterable<ReadText>,
  fits: (text: string) => boolean,
): ReadText => {
  const said = squeeze(first.text)
  const others = new Map<string, ReadText[]>()
  for (const reading of further) {
    const text = squeeze(reading.text)
    const same = [...(others.get(text) ?? []), reading]
    others.set(text, same)
    if (text === said && same.length > FURTHER - AGREEING) return first
    if (text !== said && same.length >= AGREEING) return fits(reading.text) ? surestOf(same) : first
  }
  return first
}
