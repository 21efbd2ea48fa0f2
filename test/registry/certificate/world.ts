import type { PropertyType } from '#core/registry/document.ts'
import { dayOf, tight } from './calendar.ts'
import type { CaseName } from './cases.ts'
import { createDraft, type Draft } from './draft.ts'
import type { Entry, Section } from './entry-shape.ts'
import { appendNote, preserve, transferToOne } from './ownership.ts'
import { createRandom, type Random } from './random.ts'
import {
  FIRST_STORIES,
  OWNERSHIP_STORIES,
  RIGHT_STORIES,
  type Story,
  sectionBStories,
} from './stories.ts'
import { labelled, lines, plain } from './text.ts'
import { makeAggregateTitle } from './title-aggregate.ts'
import { makeBuildingTitle } from './title-building.ts'
import { makeLandTitle, type Title } from './title-land.ts'
import { computerisedNote } from './title-row.ts'
import type { TitleTruth } from './truth.ts'

/** What kind of copy was ordered. */
export type CopyKind = 'full' | 'valid' | 'share' | 'owners' | 'history'
export type World = {
  readonly draft: Draft
  readonly title: Title<TitleTruth>
  /** Cases of the title: a partial copy shows no other. */
  readonly titleCases: ReadonlySet<CaseName>
}
export type WorldOptions = {
  readonly seed: number
  readonly propertyType: PropertyType
  readonly copy: CopyKind
  readonly isBefore2011: boolean
  readonly wished: ReadonlySet<CaseName>
  /** Layout cases that change what is written. */
  readonly layoutCases: readonly CaseName[]
  /** How often the stories are told; more of it makes more pages. */
  readonly rounds: number
}

const makeTitle = (draft: Draft): Title<TitleTruth> => {
  if (draft.propertyType === 'land') return makeLandTitle(draft)
  return draft.propertyType === 'building' ? makeBuildingTitle(draft) : makeAggregateTitle(draft)
}

const tellPending = (draft: Draft, probability: number): void => {
  for (const next of draft.pending.splice(0)) {
    if (draft.random.chance(probability)) next()
    else draft.pending.push(next)
  }
}

/** How much happens in one life; with this, a certificate has four pages on average. */
const LIVELINESS = 1.3

const tell = (draft: Draft, stories: readonly Story[]): void => {
  const { random } = draft
  for (const story of random.sample(stories, stories.length)) {
    if (!draft.plans(story.of, story.probability * LIVELINESS)) continue
    story.tell(draft)
    tellPending(draft, 0.3)
  }
}

const compareOrder = (first: Entry, second: Entry): number => {
  const length = Math.max(first.order.length, second.order.length)
  for (let index = 0; index < length; index += 1) {
    const difference = (first.order[index] ?? -1) - (second.order[index] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}
/** The first ranks were carried over from paper: each has its old rank below the new one. */
const carryOver = (draft: Draft, section: Section): void => {
  const { random } = draft
  const sorted = draft.entries[section].filter(
    (entry) => !entry.isCanceller && entry.receipt !== null,
  )
  const carried = sorted.filter((entry) => entry.order.length === 1).slice(0, random.integer(1, 3))
  let previous = random.integer(1, 40)
  for (const entry of carried) {
    entry.previousRank = `${previous}`
    entry.band.lead.push(plain(`(전 ${previous})`))
    for (const child of draft.entries[section]) {
      if (child.parent !== entry) continue
      child.previousRank = `${previous}-${child.order.at(-1)}`
      child.band.lead.push(plain(`(전 ${child.previousRank})`))
    }
    previous += random.integer(1, 9)
  }
  const last = carried.at(-1)
  if (last === undefined) return
  draft.cases.add('previous_rank')
  // struck with the entry or not, both are seen: lead runs follow the rank
  for (const entry of draft.entries[section]) {
    const [rank, ...below] = entry.band.lead.flatMap((paragraph) => paragraph.runs)
    for (const run of below) run.struck = rank?.struck ?? false
  }
  if (random.chance(0.7)) {
    draft.cases.add('computerised_note')
    appendNote(last, lines(computerisedNote(dayOf(random.integer(1998, 2003), 3, 15))))
  } else {
    draft.cases.add('import_note')
    appendNote(last, [
      plain(`구분으로 인하여 순위 제${last.previousRank}번 등기를 ${draft.location}에서 전사`),
      labelled('접수', tight(draft.today())),
      { ...plain(`제${random.integer(1000, 99999)}호`), indent: 6, hang: 6 },
    ])
  }
}

const live = (draft: Draft, rounds: number): void => {
  if (draft.propertyType !== 'land' || draft.random.chance(0.3)) preserve(draft)
  else transferToOne(draft)
  tell(draft, FIRST_STORIES)
  const hasSectionB =
    !draft.plans('empty_section_b', 0.08) && !draft.plans('missing_section_b', 0.06)
  for (let round = 0; round < rounds; round += 1) {
    tell(draft, OWNERSHIP_STORIES)
    tell(draft, [...RIGHT_STORIES, ...(hasSectionB ? sectionBStories(draft) : [])])
  }
  while (draft.pending.length > 0) draft.pending.shift()?.()
  draft.entries.a.sort(compareOrder)
  draft.entries.b.sort(compareOrder)
  if (draft.wants('previous_rank', 0.3)) {
    carryOver(draft, 'a')
    if (draft.random.chance(0.6)) carryOver(draft, 'b')
  }
}

const daysOf = (random: Random, isBefore2011: boolean): { firstDay: number; lastDay: number } => {
  const lastDay = isBefore2011
    ? dayOf(random.integer(2006, 2010), random.integer(1, 12), random.integer(1, 28))
    : dayOf(random.integer(2024, 2026), random.integer(1, 9), random.integer(1, 28))
  return { firstDay: lastDay - 365 * random.integer(8, isBefore2011 ? 20 : 38), lastDay }
}

export const makeWorld = (options: WorldOptions): World => {
  const { seed, propertyType, wished } = options
  const days = daysOf(createRandom(seed ^ 0x5eed), options.isBefore2011)
  const isCurrentOnly = options.copy !== 'full' && options.copy !== 'history'
  const draft = createDraft({ seed, propertyType, wished, isCurrentOnly, ...days })
  for (const name of options.layoutCases) draft.cases.add(name)
  const title = makeTitle(draft)
  const titleCases = new Set(draft.cases)
  live(draft, options.rounds)
  return { draft, title, titleCases }
}
