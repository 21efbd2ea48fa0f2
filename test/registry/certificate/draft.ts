import type { PropertyType } from '#core/registry/document.ts'
import { type Day, dayOf, yearOf } from './calendar.ts'
import type { CaseName } from './cases.ts'
import type { Entry, Receipt, Section } from './entry-shape.ts'
import type { CollateralList, TradeListRow } from './list-shape.ts'
import { createRandom, type Random } from './random.ts'
import type { TradeListTruth } from './truth.ts'

/** Someone's share of the property, and the ranks that gave it. */
export type Holding = {
  readonly name: string
  readonly number: string | null
  readonly address: string
  readonly numerator: number
  readonly denominator: number
  readonly entries: readonly Entry[]
}

/** A world in the making: what was registered so far, who owns the property, and what is still to come. */
export type Draft = {
  readonly random: Random
  readonly propertyType: PropertyType
  readonly cases: Set<CaseName>
  /** True by chance, or because the case was wished for; the case is noted when true. */
  readonly wants: (name: CaseName, probability: number) => boolean
  /** The same without noting it: whether the thing can happen is not known yet. */
  readonly plans: (name: CaseName, probability: number) => boolean
  /** What a current copy leaves out must not be needed to understand what it prints. */
  readonly isCurrentOnly: boolean
  /** Days pass; a receipt is later than, or on the same day with a greater number than, the one before. */
  readonly receive: () => Receipt
  /** The same day, a few numbers on: applications that were handed in together. */
  readonly receiveNext: () => Receipt
  readonly today: () => Day
  readonly lastDay: Day
  readonly entries: Record<Section, Entry[]>
  readonly nextRank: Record<Section, number>
  holdings: readonly Holding[]
  readonly usedNames: Set<string>
  /** What must happen after other things have happened: the cancellation of what was registered. */
  readonly pending: (() => unknown)[]
  readonly tradeLists: { truth: TradeListTruth; rows: TradeListRow[] }[]
  readonly collateralLists: CollateralList[]
  readonly warnings: Set<string>
  /** Lot and place of the property, as lists and inline collateral print it. */
  location: string
}

export type DraftOptions = {
  readonly seed: number
  readonly propertyType: PropertyType
  readonly wished: ReadonlySet<CaseName>
  readonly isCurrentOnly: boolean
  readonly firstDay: Day
  readonly lastDay: Day
}

const createClock = (random: Random, { firstDay, lastDay }: DraftOptions) => {
  let today = firstDay
  let number = random.integer(1, 900)
  const receiveNext = (): Receipt => {
    number += random.integer(1, 3)
    return { day: today, number: `${number}` }
  }
  const receive = (): Receipt => {
    const step = random.integer(1, Math.max(1, Math.min(500, Math.floor((lastDay - today) / 5))))
    const next = Math.min(today + step, lastDay)
    if (next === today) return receiveNext()
    // an office counts from one each year, about a hundred and eighty a day
    const perDay = random.integer(120, 180)
    const dayOfYear = next - dayOf(yearOf(next), 1, 1)
    const counted = dayOfYear * perDay + random.integer(1, 99)
    number = yearOf(next) === yearOf(today) ? Math.max(number + 5, counted) : counted
    today = next
    return { day: today, number: `${number}` }
  }
  return { receive, receiveNext, today: () => today }
}

export const createDraft = (options: DraftOptions): Draft => {
  const random = createRandom(options.seed)
  const cases = new Set<CaseName>()
  const wants = (name: CaseName, probability: number): boolean => {
    // chance is asked either way, so that a wish changes as little else as it can
    const answer = random.chance(probability) || (options.wished.has(name) && !cases.has(name))
    if (answer) cases.add(name)
    return answer
  }
  return {
    random,
    propertyType: options.propertyType,
    cases,
    wants,
    plans: (name, probability) =>
      random.chance(probability) || (options.wished.has(name) && !cases.has(name)),
    isCurrentOnly: options.isCurrentOnly,
    ...createClock(random, options),
    lastDay: options.lastDay,
    entries: { a: [], b: [] },
    nextRank: { a: 1, b: 1 },
    holdings: [],
    usedNames: new Set(),
    pending: [],
    tradeLists: [],
    collateralLists: [],
    warnings: new Set(),
    location: '',
  }
}
