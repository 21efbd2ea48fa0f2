import type { Imprint } from './furniture.ts'
import { makeOffice } from './lists.ts'
import { createRandom } from './random.ts'
import type { Style } from './style.ts'
import type { CopyKind, World } from './world.ts'

const KINDS = { land: '토지', building: '건물', aggregate_building: '집합건물' } as const
const TITLES: Record<CopyKind, string> = {
  full: '등기사항전부증명서(말소사항 포함)',
  valid: '등기사항전부증명서(현재 유효사항)',
  share: '등기사항일부증명서(특정인 지분)',
  owners: '등기사항일부증명서(현재 소유현황)',
  history: '등기사항일부증명서(지분취득 이력)',
}

const titleLine = (style: Style, kind: string, isForSubmission: boolean): string => {
  if (style.isLegacy) return `등기부 등본 (말소사항 포함) - ${kind}`
  const title = TITLES[style.copy]
  const spaced = style.hasSpacedTitle ? title.replace('(', ' (') : title
  return isForSubmission ? `${spaced}[제출용]` : spaced
}

/** Names and numbers of the certificate itself; none of them exists. */
export const makeImprint = (world: World, style: Style, seed: number): Imprint => {
  const random = createRandom(seed ^ 0x1e77e2)
  const digits = (count: number): string =>
    Array.from({ length: count }, () => random.integer(0, 9)).join('')
  const kind = KINDS[world.draft.propertyType]
  return {
    titleLine: titleLine(style, kind, random.chance(0.1)),
    kindLine: style.isLegacy ? null : `- ${kind} -`,
    uniqueNumber: `${random.integer(1101, 2999)}-${random.integer(1996, 2023)}-99${digits(4)}`,
    propertyLine: `[${kind}] ${world.title.propertyAddress}`,
    jurisdiction: makeOffice(world.draft),
    day: world.draft.lastDay,
    time: {
      hour: random.integer(0, 23),
      minute: random.integer(0, 59),
      second: random.integer(0, 59),
    },
    issueNumber: digits(38),
    confirmationNumber: `GARA-MNUR-${digits(4)}`,
  }
}
