import { yearOf } from './calendar.ts'
import type { Draft } from './draft.ts'
import type { CollateralRow } from './list-shape.ts'
import { CITIES, COURTS, OFFICES, PROVINCES, TOWNSHIPS, VILLAGES } from './vocabulary.ts'

export const makeListNumber = (draft: Draft): string =>
  `${yearOf(draft.today())}-${draft.random.integer(11, 2990)}`

export const makeLot = (draft: Draft): string => {
  const { random } = draft
  const number = `${random.integer(1, 980)}`
  const lot = random.chance(0.5) ? `${number}-${random.integer(1, 60)}` : number
  if (draft.wants('mountain_lot', 0.08)) return `산${lot}`
  if (draft.wants('lot_with_beonji', 0.05)) return `${lot}번지`
  return lot
}
/** Another property, as lists name it. */
export const makeOtherLocation = (draft: Draft): string => {
  const { random } = draft
  const place = `${random.pick(PROVINCES)} ${random.pick(CITIES)} ${random.pick(TOWNSHIPS)}`
  return `${place} ${random.pick(VILLAGES)} ${makeLot(draft)}`
}
export const makeOffice = (draft: Draft): string =>
  `${draft.random.pick(COURTS)} ${draft.random.pick(OFFICES)}`

export const makeCollateralRows = (
  draft: Draft,
  own: { readonly rank: string; readonly share: string | null },
  origin: readonly string[],
  count: number,
): CollateralRow[] =>
  Array.from({ length: count }, (_, index) => {
    const isOwn = index === 0
    const isReleased = !isOwn && draft.wants('collateral_partly_released', 0.1)
    return {
      serial: `${index + 1}`,
      propertyType:
        isOwn && draft.propertyType === 'land' ? '토지' : draft.random.pick(['토지', '건물']),
      location: isOwn ? draft.location : makeOtherLocation(draft),
      share: isOwn ? own.share : null,
      office: makeOffice(draft),
      rank: isOwn ? own.rank : `${draft.random.integer(1, 19)}`,
      origin,
      change: isReleased
        ? ['2024년1월9일', `제${draft.random.integer(90, 999)}호`, '일부포기']
        : [],
    }
  })
