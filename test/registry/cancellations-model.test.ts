/**
 * Which entries are in force, compared with a model that knows no repairs: from the last entry to the first, an entry acts if no
 * acting entry after it ends it [documents 9.1].
 */
import { expect, test } from 'vitest'
import { type RowText, readRows } from './fixtures/certificate/from-rows.ts'
import { createRandom, type Random } from './fixtures/certificate/random.ts'

const SEEDS = 60
const MOST = 12
const NOUNS = ['근저당권설정', '전세권설정', '지상권설정'] as const
const HOME = '    가람특별시 나래구 다솜로 12'
const RIGHTS = `채권최고액  금100원\n근저당권자  한다솜  720202-*******\n${HOME}`

type Entry = Readonly<{
  rank: string
  purpose: string
  noun: string
  kind: 'right' | 'change' | 'end' | 'again'
  /** Places of the entries that it ends or puts in force again. */
  targets: readonly number[]
}>

/** The wordings by which one entry ends several. */
const endOf = (targets: readonly Entry[], random: Random): string => {
  const [{ noun } = { noun: '' }] = targets
  const isOfOne = targets.every((target) => target.noun === noun)
  const ranks = targets.map(({ rank }) => `${rank}번`)
  return isOfOne && random.chance(0.5)
    ? `${ranks.join(', ')} ${noun}등기말소`
    : `${targets.map((target) => `${target.rank}번${target.noun}`).join(', ')} 등기말소`
}

/** For each entry, whether it is in force. */
const replay = (entries: readonly Entry[]): readonly boolean[] => {
  const isActing = entries.map(() => true)
  for (let place = entries.length - 1; place >= 0; place -= 1) {
    let isAlive = true
    for (const [later, { kind, targets }] of entries.entries()) {
      if (later > place && isActing[later] === true && targets.includes(place)) {
        isAlive = kind === 'again'
      }
    }
    isActing[place] = isAlive
  }
  // a change has the fate of the right that it is a part of
  return entries.map(({ kind, rank }, place) => {
    const parent = entries.findIndex((entry) => entry.rank === rank.split('-')[0])
    return isActing[kind === 'change' ? parent : place] === true
  })
}

/** A register in which each entry ends what is in force and was never ended before, or restores what is not in force. */
const makeEntries = (random: Random): readonly Entry[] => {
  const entries: Entry[] = []
  let rank = 0
  const add = (entry: Omit<Entry, 'rank'>): void => {
    rank += 1
    entries.push({ ...entry, rank: `${rank}` })
  }
  const named = (places: readonly number[]) => entries.filter((_, place) => places.includes(place))
  while (entries.length < MOST) {
    const alive = replay(entries)
    const placesOf = (wanted: Entry['kind'], isAlive: boolean): readonly number[] =>
      entries.flatMap(({ kind }, place) =>
        kind === wanted && alive[place] === isAlive ? [place] : [],
      )
    const before = new Set(entries.flatMap(({ targets }) => targets))
    const rights = placesOf('right', true).filter((place) => !before.has(place))
    const ended = placesOf('right', false)
    const ends = placesOf('end', true).filter(
      (place) =>
        !before.has(place) && entries[place]?.targets.every((target) => alive[target] === false),
    )
    const chance = random.next()
    if (rights.length < 2 || chance < 0.3) {
      const noun = random.pick(NOUNS)
      add({ purpose: noun, noun, kind: 'right', targets: [] })
      const purpose = `${rank}번${noun.slice(0, -2)}변경`
      if (random.chance(0.3)) {
        entries.push({ rank: `${rank}-1`, purpose, noun, kind: 'change', targets: [] })
      }
    } else if (chance < 0.6) {
      const targets = random.sample(rights, random.integer(1, 3)).toSorted((a, b) => a - b)
      add({ purpose: endOf(named(targets), random), noun: '', kind: 'end', targets })
    } else if (chance < 0.7 && ended.length > 0) {
      const target = random.pick(ended)
      const [right] = named([target])
      const purpose = `${right?.rank}번${right?.noun}등기회복`
      add({ purpose, noun: '', kind: 'again', targets: [target] })
    } else if (ends.length > 0) {
      const target = random.pick(ends)
      const purpose = `${named([target])[0]?.rank}번등기말소등기의 말소`
      add({ purpose, noun: '', kind: 'end', targets: [target] })
    }
  }
  return entries
}

const rowOf = ({ rank, purpose, kind }: Entry, isAlive: boolean): RowText => [
  `${isAlive ? '' : '~'}${rank}`,
  purpose,
  '2011년1월2일\n제3호',
  '2011년1월1일\n해지',
  kind === 'change' || kind === 'end' ? '' : RIGHTS,
]

test('an entry is in force if the model takes it to be', () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const entries = makeEntries(createRandom(seed))
    const alive = replay(entries)
    for (const strikes of [alive, entries.map(() => true)]) {
      const sectionB = entries.map((entry, place) => rowOf(entry, strikes[place] === true))
      const { section_b: read } = readRows({ sectionB }).document
      const found = read.map(({ status }) => !status.is_cancelled)
      expect({ seed, found }).toEqual({ seed, found: alive })
    }
  }
})
