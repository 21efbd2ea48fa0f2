/** Detects whether a document is a registry certificate, and reads its head. */
import { findDate, findMoment } from '../fields/date.ts'
import { squeeze } from '../fields/normal-text.ts'
import { findUniqueNumber } from '../fields/number.ts'
import type { RegistryDocument } from '../schema/document.ts'
import type { PropertyType } from '../schema/title.ts'

type Profile = RegistryDocument['profile']

/** Facts about the whole document, from the lines around its tables. */
export type DocumentHead = Readonly<{
  profile: Profile
  uniqueNumber: string | null
  propertyAddress: string
  jurisdiction: string | null
  viewedAt: string | null
  issuedAt: string | null
  /** Whether the title states that the register is closed. */
  isClosed: boolean
}>

type Detection =
  | Readonly<{ kind: 'registry'; head: DocumentHead }>
  | Readonly<{ kind: 'other_certificate' }>
  | Readonly<{ kind: 'nothing' }>

const KINDS: Readonly<Record<string, PropertyType>> = {
  토지: 'land',
  건물: 'building',
  집합건물: 'aggregate_building',
}
const PROPERTY = /^\s*\[\s*(토지|건물|집합건물)\s*\]\s*(.+)$/
/** Also matches 전부중명서, as OCR reads 전부증명서. */
const TITLE = /등기사항(전부|일부)[증중]명서/
/** A 초본 is of a part. */
const LEGACY = /등기부[등초]본/

const findKind = (lines: readonly string[]): PropertyType | null => {
  for (const line of lines) {
    const named = /^-(토지|건물|집합건물)-$/.exec(squeeze(line))?.[1]
    const tagged = PROPERTY.exec(line)?.[1]
    const trailing = /(?:증명서|[등초]본).*-(토지|건물|집합건물)-?$/.exec(squeeze(line))?.[1]
    const kind = KINDS[named ?? tagged ?? trailing ?? '']
    if (kind !== undefined) return kind
  }
  return null
}

const findTitle = (lines: readonly string[]): string | null => {
  const title = lines.map(squeeze).find((line) => TITLE.test(line) || LEGACY.test(line))
  return title ?? null
}

const readProfile = (
  title: string | null,
  lines: readonly string[],
  isIssued: boolean,
): Omit<Profile, 'property_type'> => {
  const text = title ?? ''
  const isPartial = /일부[증중]명서|등기부초본/.test(text)
  const isIssuedCopy =
    isIssued || lines.some((line) => /발행번호|발급확인번호|증명합니다/.test(squeeze(line)))
  const isLegacy = LEGACY.test(text) && !TITLE.test(text)
  return {
    certificate_type: isPartial ? 'partial' : 'full',
    include_cancellations: /말소사항포함|지분취득이력/.test(text),
    layout_profile: isLegacy ? 'legacy_deungbon' : isIssuedCopy ? 'iros_issue_v1' : 'iros_view_v1',
  }
}

const first = <T>(lines: readonly string[], read: (line: string) => T | null): T | null => {
  for (const line of lines) {
    const found = read(line)
    if (found !== null) return found
  }
  return null
}

const readViewed = (line: string): string | null => {
  const at = /열\s*람\s*일\s*시\s*:?(.*)$/.exec(line)?.[1]
  return at === undefined ? null : findMoment(at)
}

/** The day below the statement of an issued copy is alone on its line. An entry may have a date with 서기, too. */
const ISSUED = [/발\s*행\s*일(?:\s*시)?\s*:?\s*(.*)$/, /^\s*서기\s*(\S.*일)\s*$/] as const

const readIssued = (lines: readonly string[]): string | null => {
  for (const pattern of ISSUED) {
    const found = first(lines, (line) => {
      const at = pattern.exec(line)?.[1]
      return at === undefined ? null : (findMoment(at) ?? findDate(at)?.date ?? null)
    })
    if (found !== null) return found
  }
  return null
}

const readOffice = (line: string): string | null => {
  const printed = /관\s*할\s*등\s*기\s*소(?!\s*명)\s*:?\s*(.+)$/.exec(line)?.[1]
  const office = printed?.split(/\/\s*발행등기소/, 1)[0]?.trim()
  return office === undefined || office === '' ? null : office.replace(/\s+/g, ' ')
}

/** Whether the certificate is that of a company, which has the same title but nothing else in common. */
const isOfCompany = (lines: readonly string[]): boolean => {
  const text = lines.map(squeeze).join('\n')
  return /등록번호:?\d{6}-\d{7}/.test(text) && /(상호|본점|명칭)/.test(text)
}

/** Detects the kind and head of a document. At least two of title, unique number, title section and office must be present. */
export const detectDocument = (lines: readonly string[]): Detection => {
  const kind = findKind(lines)
  const title = findTitle(lines)
  const uniqueNumber = first(lines, findUniqueNumber)
  const signs = [
    title !== null,
    uniqueNumber !== null,
    lines.some((line) => /[【[]표제부[】\]]/.test(squeeze(line))),
    lines.some((line) => readOffice(line) !== null),
  ].filter(Boolean).length
  if (kind === null) {
    const hasPropertySigns = uniqueNumber !== null
    if (title !== null && (isOfCompany(lines) || !hasPropertySigns))
      return { kind: 'other_certificate' }
    return { kind: 'nothing' }
  }
  if (signs < 2) return { kind: 'nothing' }
  const viewedAt = first(lines, readViewed)
  // a copy for viewing is not issued; a date of an issue on it belongs to an entry
  const issuedAt = viewedAt === null ? readIssued(lines) : null
  const address = first(lines, (line) => PROPERTY.exec(line)?.[2]?.trim() ?? null)
  return {
    kind: 'registry',
    head: {
      profile: { ...readProfile(title, lines, issuedAt !== null), property_type: kind },
      uniqueNumber,
      propertyAddress: (address ?? '').replace(/\s+/g, ' '),
      jurisdiction: first(lines, readOffice),
      viewedAt,
      issuedAt,
      isClosed: title?.includes('폐쇄') === true,
    },
  }
}
