import type { Entry, Section } from './entry-shape.ts'
import { halfWidths, runsOf } from './text.ts'
import type { CopyKind, World } from './world.ts'

/** What of the world the ordered copy shows. */
export type Printed = {
  readonly copy: CopyKind
  readonly sections: Record<Section, readonly Entry[]>
  readonly isPrinted: (entry: Entry) => boolean
}

const isOwnership = (entry: Entry): boolean => {
  const right = entry.purposes[0]?.right_type
  const second = entry.purposes[1]?.right_type
  return [right, second].some((each) => each === '소유권보존' || each === '소유권이전')
}
const withParents = (entries: readonly Entry[]): Entry[] => {
  const kept = new Set<Entry>()
  // parents come before what hangs on them
  for (const entry of entries) {
    if (entry.parent === null || kept.has(entry.parent)) kept.add(entry)
  }
  return [...kept]
}

/** Current copies leave out what was cancelled, the rows that did it, and owners of the past. */
const current = (entries: readonly Entry[]): Entry[] =>
  entries.filter((entry) => entry.cancelledBy === null && !entry.isCanceller && !entry.isPast)

const ofOneOwner = (world: World): Entry[] => {
  const owner = world.draft.holdings[0]
  const live = current(world.draft.entries.a)
  if (owner === undefined) return live
  return live.filter((entry) => {
    if (!isOwnership(entry))
      return entry.purposes[0]?.target_owner === owner.name || entry.parent !== null
    return owner.entries.includes(entry)
  })
}

export const select = (world: World, copy: CopyKind): Printed => {
  const { a, b } = world.draft.entries
  const chosen: Record<CopyKind, () => [Entry[], Entry[]]> = {
    full: () => [a, b],
    valid: () => [current(a), current(b)],
    share: () => [ofOneOwner(world), current(b)],
    owners: () => [[], []],
    history: () => [a.filter((entry) => isOwnership(entry) || entry.parent !== null), []],
  }
  const [sectionA, sectionB] = chosen[copy]()
  const sections = { a: withParents(sectionA), b: withParents(sectionB) }
  const all = new Set([...sections.a, ...sections.b])
  return { copy, sections, isPrinted: (entry) => all.has(entry) }
}

const widthOf = (runs: readonly { readonly text: string }[]): number =>
  runs.reduce((sum, run) => sum + halfWidths(run.text), 0)

/** By the rule of the brief; undefined where so much is struck that the rule leaves it open. */
export const isVisuallyCancelled = (entry: Entry): boolean | undefined => {
  const rank = runsOf(entry.band.lead)
  const purpose = entry.band.parts.flatMap((part) => runsOf(part.middle[0] ?? []))
  const share = (runs: typeof rank): number =>
    widthOf(runs) === 0 ? 0 : widthOf(runs.filter((run) => run.struck)) / widthOf(runs)
  if (share(rank) >= 0.5 || share(purpose) >= 0.5) return true
  const rest = entry.band.parts.flatMap((part) => [...part.middle.slice(1), ...part.blocks])
  const ratio = share([...rank, ...purpose, ...rest.flatMap(runsOf)])
  if (ratio > 0.7 && ratio < 0.9) return undefined
  return ratio >= 0.9
}
