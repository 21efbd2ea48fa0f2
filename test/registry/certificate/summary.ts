import { padded, tight } from './calendar.ts'
import type { Draft, Holding } from './draft.ts'
import type { Entry } from './entry-shape.ts'
import type { Printed } from './select.ts'
import { type Cell, labelled, lines, type Paragraph, plain } from './text.ts'
import type { ContentTruth, SummaryTruth } from './truth.ts'

/** A row of the summary and what must be read from it. */
export type SummaryRow<Truth> = { readonly cells: readonly Cell[]; readonly truth: Truth }
export type Summary = {
  readonly owners: readonly SummaryRow<SummaryTruth['owners'][number]>[]
  /** Rights of section A that are no ownership, and those of section B. */
  readonly rights: readonly [RightRow[], RightRow[]]
}
type RightRow = SummaryRow<SummaryTruth['rights'][number]>

const finalShare = (holding: Holding): string =>
  holding.numerator === holding.denominator
    ? '단독소유'
    : `${holding.denominator}분의 ${holding.numerator}`

const ownerRow = (holding: Holding, isSole: boolean): Summary['owners'][number] => {
  const share = finalShare(holding)
  const ranks = holding.entries.map((entry) => entry.rank).join(', ')
  const role = isSole ? '(소유자)' : '(공유자)'
  return {
    cells: [
      lines(`${holding.name} ${role}`),
      holding.number === null ? [] : lines(holding.number),
      lines(share),
      holding.address === '' ? [] : lines(holding.address),
      lines(ranks),
    ],
    truth: {
      name: holding.name,
      resident_number: holding.number,
      final_share: share,
      address: holding.address === '' ? null : holding.address,
      rank_number: ranks,
    },
  }
}

type Facts = Omit<
  RightRow['truth'],
  'rank_number' | 'registration_purpose' | 'receipt_date' | 'receipt_number'
>

const AMOUNT_FIELDS = {
  채권최고액: 'max_claim_amount',
  채권액: 'bond_amount',
  청구금액: 'bond_amount',
  보증금: 'deposit_amount',
} as const
const AMOUNT_LABELS = [
  { label: '채권최고액', type: '채권최고액' },
  { label: '채권액', type: '채권액' },
  { label: '청구금액', type: '청구금액' },
  { label: '전세금', type: '보증금' },
  { label: '임차보증금', type: '보증금' },
] as const
const CREDITOR_LABELS = ['근저당권자', '채권자', '전세권자', '권리자', '임차권자']
const OTHER_LABELS = ['처분청', '관리기관', '지상권자', '가등기권자', '피보전권리', '목  적']

const textOf = (paragraph: Paragraph): string => paragraph.runs.map((run) => run.text).join('  ')
const startsWith = (paragraph: Paragraph, label: string): boolean =>
  textOf(paragraph).startsWith(`${label}  `)

/** The lines of the entry that the summary repeats: sums, creditors and a few more. */
const factLines = (entry: Entry): Paragraph[] => {
  const labels = [...AMOUNT_LABELS.map(({ label }) => label), ...CREDITOR_LABELS, ...OTHER_LABELS]
  const cells = entry.band.parts.flatMap((part) => part.blocks.flat())
  return cells
    .filter((paragraph) => labels.some((label) => startsWith(paragraph, label)))
    .map((paragraph) => {
      // a person's number is left out
      const runs = paragraph.runs.slice(0, 2)
      const [first, second] = runs
      if (first === undefined || second === undefined) return paragraph
      const made = labelled(first.text, second.text)
      for (const run of made.runs) run.struck = second.struck
      return made
    })
}

/** What the entry said is asked of the world, never of its lines. */
const factsOf = (entry: Entry, content: ContentTruth): Facts => {
  const facts: Facts = {}
  const hasStruck = factLines(entry).some((paragraph) => paragraph.runs.some((run) => run.struck))
  const amounts = content.amounts ?? []
  for (const field of Object.values(AMOUNT_FIELDS)) facts[field] = null
  for (const amount of amounts) {
    if (amount.type in AMOUNT_FIELDS)
      facts[AMOUNT_FIELDS[amount.type as keyof typeof AMOUNT_FIELDS]] = amount.value
  }
  // several sums of one kind, and struck ones, that stay beside the new: which one counts is open
  if (hasStruck || new Set(amounts.map(({ type }) => type)).size < amounts.length) {
    for (const field of Object.values(AMOUNT_FIELDS)) delete facts[field]
  }
  const creditor = content.persons?.find(({ role }) =>
    ['근저당권자', '채권자', '전세권자', '권리자', '임차인'].includes(role),
  )
  const isProvisional = entry.purposes[0]?.right_type === '가등기'
  if (!hasStruck && !isProvisional && entry.purposes[0]?.right_type !== '지상권')
    facts.creditor = creditor?.name ?? null
  facts.purpose = content.protected_right ?? content.term?.purpose ?? null
  return facts
}

const withoutTarget = (entry: Entry): string => {
  const raw = entry.purposes[0]?.raw ?? ''
  return raw.replace(/^(갑구)?\d+(-\d+)*번(.+지분(전부)?)?/, '')
}

const rightRow = (draft: Draft, entry: Entry): RightRow | null => {
  const facts = factLines(entry)
  if (entry.receipt === null || facts.length === 0) return null
  const { day, number } = entry.receipt
  const owners = draft.holdings
  const target =
    entry.parent !== null
      ? ''
      : owners.length > 1
        ? `${owners[0]?.name} 등`
        : (owners[0]?.name ?? '확인불가')
  const purpose = withoutTarget(entry)
  return {
    cells: [
      [
        plain(entry.rank),
        ...(entry.previousRank === null ? [] : [plain(`(전 ${entry.previousRank})`)]),
      ],
      lines(purpose),
      lines(tight(day), `제${number}호`),
      facts,
      target === '' ? [] : lines(target),
    ],
    truth: {
      rank_number: entry.rank,
      registration_purpose: purpose,
      receipt_date: padded(day),
      receipt_number: `${number}호`,
      target_owner: target === '' ? null : target,
      ...factsOf(entry, entry.content),
      is_cancelled: false,
    },
  }
}

const isListed = (entry: Entry): boolean =>
  entry.cancelledBy === null &&
  !entry.isCanceller &&
  !entry.hasOpenStatus &&
  [
    '근저당권',
    '전세권',
    '임차권',
    '지상권',
    '지역권',
    '가압류',
    '압류',
    '경매',
    '가처분',
    '가등기',
    '부기등기',
  ].includes(entry.purposes[0]?.right_type ?? '') &&
  entry.purposes.length === 1

export const makeSummary = (draft: Draft, printed: Printed): Summary => {
  const rows = (entries: readonly Entry[]): RightRow[] =>
    entries
      .filter(isListed)
      .map((entry) => rightRow(draft, entry))
      .filter((row) => row !== null)
  const owners = draft.holdings.toSorted((first, second) => (first.name < second.name ? -1 : 1))
  return {
    owners: owners.map((holding) => ownerRow(holding, owners.length === 1)),
    rights: [rows(printed.sections.a), rows(printed.sections.b)],
  }
}
