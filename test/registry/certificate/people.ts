import type { PersonRole } from '#core/registry/document.ts'
import type { Draft } from './draft.ts'
import { type Cell, halfWidths, indented, type Paragraph, plain, type Run, run } from './text.ts'
import type { PersonTruth } from './truth.ts'
import {
  BANK_NAMES,
  BRANCHES,
  CITIES,
  COMPANY_NAMES,
  DISTRICTS,
  FOREIGN_NAMES,
  HOUSE_NAMES,
  LENDER_NAMES,
  METROPOLES,
  PERSON_NAMES,
  PROVINCES,
  QUARTERS,
  ROADS,
  TOWNSHIPS,
  TRUST_NAMES,
  VILLAGES,
} from './vocabulary.ts'

export type Party = {
  readonly name: string
  readonly number: string | null
  readonly address: string | null
  readonly branch: string | null
}
/** A party that is printed, with the runs that a later change strikes. */
export type PrintedParty = {
  readonly paragraphs: Paragraph[]
  readonly nameRun: Run
  readonly addressRun: Run | null
  readonly truth: PersonTruth
}

const unused = (draft: Draft, names: readonly string[]): string => {
  const free = names.filter((name) => !draft.usedNames.has(name))
  const name = draft.random.pick(free.length > 0 ? free : names)
  draft.usedNames.add(name)
  return name
}

const houseOf = (draft: Draft): string => {
  const { random } = draft
  const house = random.pick(HOUSE_NAMES)
  const quarter = random.pick(QUARTERS)
  if (random.chance(0.5)) return ` (${quarter},${house})`
  const building = `${random.integer(101, 119)}동`
  const room = `${random.integer(1, 20)}0${random.integer(1, 6)}호`
  if (random.chance(0.4)) return `, ${building} ${room} (${quarter},${house})`
  // the bracket stands without a blank, so that the whole of it wraps as one word
  draft.cases.add('address_wraps_in_bracket')
  return `, ${building} ${room}(${quarter},${house})`
}

export const makeAddress = (draft: Draft): string => {
  const { random } = draft
  const road = `${random.pick(ROADS)} ${random.integer(1, 420)}`
  if (random.chance(0.35)) {
    const village = `${random.pick(TOWNSHIPS)} ${random.pick(VILLAGES)}`
    return `${random.pick(PROVINCES)} ${random.pick(CITIES)} ${village} ${random.integer(1, 800)}`
  }
  const city = random.chance(0.5)
    ? random.pick(METROPOLES)
    : `${random.pick(PROVINCES)} ${random.pick(CITIES)}`
  return `${city} ${random.pick(DISTRICTS)} ${road}${random.chance(0.7) ? houseOf(draft) : ''}`
}

const personNumber = (draft: Draft): string => {
  const { random } = draft
  const two = (from: number, to: number): string => `${random.integer(from, to)}`.padStart(2, '0')
  const birth = `${two(30, 99)}${two(1, 12)}${two(1, 28)}`
  if (draft.wants('masked_after_first_digit', 0.06)) return `${birth}-1******`
  // month 99: nobody's number
  if (draft.wants('unmasked_number', 0.03)) return `${birth.slice(0, 2)}9901-1000000`
  return `${birth}-*******`
}
export const companyNumber = (draft: Draft): string =>
  `${draft.random.integer(101, 299)}1${draft.random.integer(11, 36)}-000${draft.random.integer(1000, 9999)}`

export const makePerson = (draft: Draft): Party => ({
  name: unused(draft, draft.random.chance(0.02) ? FOREIGN_NAMES : PERSON_NAMES),
  number: personNumber(draft),
  address: makeAddress(draft),
  branch: null,
})

const companyFrom = (draft: Draft, names: readonly string[], branchChance: number): Party => ({
  name: unused(draft, names),
  number: companyNumber(draft),
  address: makeAddress(draft),
  branch: draft.random.chance(branchChance) ? draft.random.pick(BRANCHES) : null,
})
export const makeCompany = (draft: Draft): Party => companyFrom(draft, COMPANY_NAMES, 0)
export const makeBank = (draft: Draft): Party => companyFrom(draft, BANK_NAMES, 0.35)
export const makeLender = (draft: Draft): Party => companyFrom(draft, LENDER_NAMES, 0.1)
export const makeTrustCompany = (draft: Draft): Party => companyFrom(draft, TRUST_NAMES, 0)
export const makeOwner = (draft: Draft): Party =>
  draft.random.chance(0.22) ? makeCompany(draft) : makePerson(draft)

/** How a party of one of the printed labels reads, and the person that it must become. */
export const printParty = (
  label: string,
  role: PersonRole,
  party: Party,
  share: string | null = null,
): PrintedParty => {
  const nameRun = run(party.name)
  const runs = [
    ...(label === '' ? [] : [run(label)]),
    nameRun,
    ...(party.number === null ? [] : [run(party.number)]),
  ]
  const address = party.address === null ? null : indented(party.address)
  const hang = label === '' ? 0 : halfWidths(label) + 2
  return {
    paragraphs: [
      { runs, indent: 0, hang },
      ...(address === null ? [] : [address]),
      ...(party.branch === null ? [] : [indented(`( ${party.branch} )`)]),
    ],
    nameRun,
    addressRun: address?.runs[0] ?? null,
    truth: {
      name: party.name,
      role,
      resident_number: party.number,
      // a branch is to be added to the address or to the notes: open
      ...(party.branch === null ? { address: party.address } : {}),
      share,
    },
  }
}

/** `공유자` once, then share, name and address of each. */
export const printShareholders = (
  label: string,
  parties: readonly { readonly party: Party; readonly share: string }[],
  indent: number,
): { cell: Cell; printed: PrintedParty[] } => {
  const printed = parties.map(({ party, share }) => printParty('', '공유자', party, share))
  const cell = printed.flatMap((each, index) => [
    { ...plain(`지분 ${parties[index]?.share ?? ''}`), indent, hang: indent },
    ...each.paragraphs.map((paragraph, line) =>
      line === 0 ? { ...paragraph, indent, hang: indent } : paragraph,
    ),
  ])
  return { cell: [plain(label), ...cell], printed }
}
