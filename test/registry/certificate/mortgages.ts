import type { AmountInfo } from '#core/registry/document.ts'
import { type Cancellable, causeBefore } from './cancellation.ts'
import { makeCollateral } from './collateral.ts'
import type { Draft } from './draft.ts'
import { addEntry } from './entry.ts'
import type { Entry, Receipt } from './entry-shape.ts'
import { foreignSum, makeAmount, roundSum } from './money.ts'
import { makeBank, makePerson, type Party, type PrintedParty, printParty } from './people.ts'
import { labelled, type Paragraph } from './text.ts'
import type { ContentTruth, PersonTruth } from './truth.ts'

export type Mortgage = {
  readonly entry: Entry
  readonly bank: Party
  readonly claims: readonly Paragraph[]
  readonly claimTruths: readonly AmountInfo[]
  readonly debtor: PrintedParty
  readonly lender: PrintedParty
}

type Claims = { readonly paragraphs: readonly Paragraph[]; readonly truths: readonly AmountInfo[] }

const makeClaims = (draft: Draft): Claims => {
  if (draft.wants('foreign_amount', 0.05)) {
    return { paragraphs: [labelled('채권최고액', foreignSum(draft))], truths: [] }
  }
  const isSeveral = draft.wants('several_maximum_claims', 0.06)
  const amounts = Array.from({ length: isSeveral ? 2 : 1 }, () =>
    makeAmount(draft, '채권최고액', roundSum(draft, 2, 260)),
  )
  return { paragraphs: amounts.map((each) => labelled('채권최고액', each.raw)), truths: amounts }
}

/** Debtors are printed without number. */
export const debtorFrom = (draft: Draft): Party => {
  const owner = draft.holdings[0]
  return owner !== undefined && draft.random.chance(0.6)
    ? { name: owner.name, number: null, address: owner.address, branch: null }
    : { ...makePerson(draft), number: null }
}

const sameClaims = ({ claimTruths }: Mortgage): Claims => ({
  paragraphs: claimTruths.map((each) => labelled('채권최고액', each.raw)),
  truths: claimTruths,
})

export type MortgageOptions = {
  readonly receipt?: Receipt
  readonly bank?: Party
  readonly parent?: Entry
  /** `갑구5번서라온지분`: on the share of one owner. */
  readonly share?: { readonly prefix: string; readonly target: string; readonly note: string }
  /** Printed before the purpose, as when land was joined: `합병한 355.58㎡에 대한 이기`. */
  readonly carried?: string
  readonly like?: Mortgage
}

const purposeFor = (options: MortgageOptions) => {
  const base = { right: '근저당권', action: '설정', targetOwner: null } as const
  if (options.share !== undefined) {
    // the rank is one of section A; the right there is ownership
    const printed = `${options.share.prefix}근저당권설정`
    return { ...base, printed, target: options.share.target, targetType: '소유권이전' as const }
  }
  if (options.parent !== undefined) {
    const { rank } = options.parent
    const targetType = '전세권' as const
    return { ...base, printed: `${rank}번전세권근저당권설정`, target: rank, targetType }
  }
  const printed = `${options.carried === undefined ? '' : `${options.carried} `}근저당권설정`
  return { ...base, printed, target: null, targetType: null }
}

export const mortgage = (draft: Draft, options: MortgageOptions = {}): Mortgage => {
  const receipt = options.receipt ?? draft.receive()
  const bank = options.bank ?? makeBank(draft)
  const claims = options.like === undefined ? makeClaims(draft) : sameClaims(options.like)
  const debtor = printParty('채무자', '채무자', debtorFrom(draft))
  const lender = printParty('근저당권자', '근저당권자', bank)
  const share =
    options.share === undefined ? null : `갑구 ${options.share.target}번 ${options.share.note} 지분`
  const collateral =
    options.parent === undefined
      ? makeCollateral(draft, receipt, `${draft.nextRank.b}`, share)
      : { paragraphs: [], truth: null }
  const entry = addEntry(draft, 'b', {
    ...(options.parent === undefined ? {} : { parent: options.parent }),
    purposes: [purposeFor(options)],
    receipt,
    cause: causeBefore(draft, receipt, '설정계약'),
    blocks: [
      [
        [
          ...claims.paragraphs,
          ...debtor.paragraphs,
          ...lender.paragraphs,
          ...collateral.paragraphs,
        ],
      ],
    ],
    content: {
      amounts: [...claims.truths],
      persons: [debtor.truth, lender.truth],
      collateral: collateral.truth,
      notes_contain: options.share === undefined ? [] : [options.share.note],
    },
  })
  return { entry, bank, claims: claims.paragraphs, claimTruths: claims.truths, debtor, lender }
}

export const asCancellable = ({ entry }: { readonly entry: Entry }): Cancellable => ({
  entry,
  name: `${entry.purposes[0]?.right_type ?? ''}설정`,
})

const strikeRuns = (paragraphs: readonly Paragraph[]): void => {
  for (const each of paragraphs.flatMap((paragraph) => paragraph.runs)) each.struck = true
}

/** Takes the replaced people or sums out of what counts now. */
const supersede = (
  entry: Entry,
  what: 'persons' | 'amounts',
  without: readonly (PersonTruth | AmountInfo)[],
) => {
  entry.superseded.add(what)
  const { content } = entry
  if (what === 'persons' && content.persons !== undefined) {
    content.persons = content.persons.filter((person) => !without.includes(person))
  }
  if (what === 'amounts' && content.amounts !== undefined) {
    content.amounts = content.amounts.filter((amount) => !without.includes(amount))
  }
}

type Change = {
  readonly verb: '변경' | '이전'
  readonly cause: string
  readonly paragraphs: readonly Paragraph[]
  readonly content: Partial<ContentTruth>
  readonly field: string
}
const change = (draft: Draft, entry: Entry, made: Change): Entry => {
  const receipt = draft.receive()
  const by = addEntry(draft, 'b', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번근저당권${made.verb}`,
        right: '근저당권',
        action: made.verb,
        target: entry.rank,
        targetType: '근저당권',
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, made.cause),
    blocks: [[made.paragraphs]],
    content: made.content,
  })
  entry.modifications.push({ by, truth: { type: 'change', changed_fields_guess: [made.field] } })
  return by
}

/** Another debtor is no new mortgage: the old one alone is struck. */
export const changeDebtor = (draft: Draft, { entry, debtor }: Mortgage): void => {
  draft.cases.add('debtor_change')
  strikeRuns(debtor.paragraphs)
  supersede(entry, 'persons', [debtor.truth])
  const next = printParty('채무자', '채무자', { ...makePerson(draft), number: null })
  change(draft, entry, {
    verb: '변경',
    cause: draft.random.pick(['계약인수', '면책적채무인수', '상속']),
    paragraphs: next.paragraphs,
    content: { persons: [next.truth] },
    field: '채무자',
  })
}

export const changeAmount = (draft: Draft, { entry, claims, claimTruths }: Mortgage): void => {
  draft.cases.add('amount_change')
  strikeRuns(claims)
  supersede(entry, 'amounts', claimTruths)
  const amount = makeAmount(draft, '채권최고액', roundSum(draft, 2, 200))
  change(draft, entry, {
    verb: '변경',
    cause: '변경계약',
    paragraphs: [labelled('채권최고액', amount.raw)],
    content: { amounts: [amount] },
    field: '채권최고액',
  })
}

export const transferMortgage = (draft: Draft, { entry, lender }: Mortgage): void => {
  draft.cases.add('mortgage_transfer')
  strikeRuns(lender.paragraphs)
  supersede(entry, 'persons', [lender.truth])
  const next = printParty('근저당권자', '근저당권자', makeBank(draft))
  change(draft, entry, {
    verb: '이전',
    cause: draft.random.pick(['확정채권양도', '회사합병', '계약양도']),
    paragraphs: next.paragraphs,
    content: { persons: [next.truth] },
    field: '근저당권자',
  })
}
