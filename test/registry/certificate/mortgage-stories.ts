import { cancelList, cancelOne, cancelRange, causeBefore, strikeSilently } from './cancellation.ts'
import type { Draft } from './draft.ts'
import { addEntry, isAlive } from './entry.ts'
import type { Entry } from './entry-shape.ts'
import { makeAmount, roundSum } from './money.ts'
import {
  asCancellable,
  changeAmount,
  changeDebtor,
  type Mortgage,
  mortgage,
  transferMortgage,
} from './mortgages.ts'
import { makeAddress, makeLender, printParty } from './people.ts'
import { shareOf } from './shares.ts'
import { labelled, run } from './text.ts'

const pledge = (draft: Draft, { entry }: Mortgage): Entry => {
  draft.cases.add('pledge')
  const receipt = draft.receive()
  const isMaximum = draft.random.chance(0.5)
  const amount = makeAmount(draft, isMaximum ? '채권최고액' : '채권액', roundSum(draft, 2, 90))
  const creditor = printParty('채권자', '채권자', makeLender(draft))
  const by = addEntry(draft, 'b', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번${isMaximum ? '근저당권부채권근질권설정' : '근저당권부질권'}`,
        right: '부기등기',
        action: '부기',
        target: entry.rank,
        targetType: '근저당권',
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '설정계약'),
    blocks: [[[labelled(amount.type, amount.raw), ...creditor.paragraphs]]],
    content: { amounts: [amount], persons: [creditor.truth] },
  })
  entry.modifications.push({ by, truth: { type: 'annotate' } })
  return by
}

/** `1번등기명의인표시변경` of section B: what it is about is the right of rank 1. */
const renameLender = (draft: Draft, { entry, bank, lender }: Mortgage): void => {
  const receipt = draft.receive()
  const by = addEntry(draft, 'b', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번등기명의인표시변경`,
        right: '등기명의인표시변경',
        action: '변경',
        target: entry.rank,
        targetType: '근저당권',
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '법인등기부상 본점 이전'),
    blocks: [
      [[{ runs: [run(`${bank.name}의 주소`), run(makeAddress(draft))], indent: 0, hang: 10 }]],
    ],
  })
  delete by.content.persons
  entry.modifications.push({ by, truth: { type: 'change' } })
  if (lender.addressRun === null || draft.isCurrentOnly) return
  lender.addressRun.struck = true
  // the address alone is struck: what stays of it in the person is open
  delete lender.truth.address
}

/** A transfer of the pledge hangs below the pledge: `1-2-1`. */
const transferPledge = (draft: Draft, pledged: Entry): void => {
  const receipt = draft.receive()
  const creditor = printParty('채권자', '채권자', makeLender(draft))
  const by = addEntry(draft, 'b', {
    parent: pledged,
    purposes: [
      {
        printed: `${pledged.rank}번질권이전`,
        right: '부기등기',
        action: '이전',
        target: pledged.rank,
        targetType: '부기등기',
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '계약양도'),
    blocks: [[creditor.paragraphs]],
    content: { persons: [creditor.truth] },
  })
  pledged.openModifications.push(by)
}

const addCollateral = (draft: Draft, { entry }: Mortgage): void => {
  const receipt = draft.receive()
  const by = addEntry(draft, 'b', {
    parent: entry,
    purposes: [
      {
        printed: `${entry.rank}번근저당권담보추가`,
        right: '근저당권',
        action: '변경',
        target: entry.rank,
        targetType: '근저당권',
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '추가설정계약'),
    blocks: [[[labelled('공동담보', `토지 ${draft.location}`)]]],
  })
  // whether what was added is a listed item or an addition is open
  delete by.content.collateral
  entry.modifications.push({ by, truth: { type: 'change' } })
}

/** `4번근저당권설정등기회복` gives life back; some prints then repeat the entry under its old rank. */
const restore = (draft: Draft, made: Mortgage): void => {
  const { entry } = made
  const receipt = draft.receive()
  draft.cases.add('restored_entry')
  const by = addEntry(draft, 'b', {
    purposes: [
      {
        printed: `${entry.rank}번근저당권설정등기회복`,
        right: '근저당권',
        action: '변경',
        target: entry.rank,
        targetType: '근저당권',
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, '확정판결'),
    blocks: [[]],
  })
  entry.cancelledBy = null
  entry.cancellation = { day: null, cause: null }
  for (const child of draft.entries.b) {
    // the brief restores the target and is silent about what hangs on it
    if (child.parent === entry) child.hasOpenStatus = true
  }
  if (!draft.wants('rank_used_again', 0.7)) {
    entry.modifications.push({ by, truth: {} })
    return
  }
  entry.openModifications.push(by)
  entry.hasOpenStatus = true
  repeatEntry(draft, made, by)
}

/** The restored entry once more, below the row that restored it. */
const repeatEntry = (draft: Draft, { entry, bank }: Mortgage, by: Entry): void => {
  const lender = printParty('근저당권자', '근저당권자', bank)
  const amount = makeAmount(draft, '채권최고액', roundSum(draft, 2, 90))
  const again = addEntry(draft, 'b', {
    rank: entry.rank,
    order: [...by.order, 0],
    purposes: [
      {
        printed: '근저당권설정',
        right: '근저당권',
        action: '설정',
        target: null,
        targetType: null,
      },
    ],
    receipt: entry.receipt,
    cause: entry.cause,
    blocks: [[[labelled('채권최고액', amount.raw), ...lender.paragraphs]]],
    content: { amounts: [amount], persons: [lender.truth] },
  })
  // two rows have this rank: which of them later entries mean is open
  again.openModifications.push(by)
}

const cancelAndMaybeRestore = (draft: Draft, made: Mortgage): void => {
  if (!isAlive(made.entry)) return
  const canceller = cancelOne(draft, asCancellable(made))
  if (canceller !== null && !draft.isCurrentOnly && draft.wants('restored_entry', 0.2))
    restore(draft, made)
}

/** One mortgage and what becomes of it. */
export const mortgageStory = (draft: Draft): void => {
  const made = mortgage(
    draft,
    draft.wants('imported_purpose', 0.08) ? { carried: importedFrom(draft) } : {},
  )
  if (draft.plans('amount_change', 0.15))
    draft.pending.push(() => isAlive(made.entry) && changeAmount(draft, made))
  if (draft.plans('debtor_change', 0.15))
    draft.pending.push(() => isAlive(made.entry) && changeDebtor(draft, made))
  if (draft.plans('mortgage_transfer', 0.15)) {
    draft.pending.push(() => isAlive(made.entry) && transferMortgage(draft, made))
  }
  if (draft.random.chance(0.08)) addCollateral(draft, made)
  if (draft.wants('holder_change_in_section_b', 0.1)) renameLender(draft, made)
  if (draft.wants('pledge', 0.12)) {
    const pledged = pledge(draft, made)
    if (draft.wants('deep_rank', 0.45)) transferPledge(draft, pledged)
  }
  if (!draft.isCurrentOnly && draft.wants('struck_without_canceller', 0.07))
    strikeSilently(draft, made.entry)
  else if (draft.random.chance(0.4)) draft.pending.push(() => cancelAndMaybeRestore(draft, made))
}

export const importedFrom = (draft: Draft): string =>
  `합병한 ${draft.random.integer(40, 900)}.${draft.random.integer(11, 99)}㎡에 대한 이기`

/** Same bank, same day, same sum: two mortgages all the same. */
export const twins = (draft: Draft): void => {
  draft.cases.add('twin_mortgages')
  const first = mortgage(draft)
  const receipt = draft.receiveNext()
  mortgage(draft, { receipt, bank: first.bank, like: first })
}

export const mortgageRange = (draft: Draft): void => {
  const made = Array.from({ length: draft.random.integer(2, 4) }, () => mortgage(draft))
  const targets = made.map(asCancellable)
  const isRange = made.length > 2 && draft.plans('cancel_range', 0.7)
  draft.pending.push(() => (isRange ? cancelRange(draft, targets) : cancelList(draft, targets)))
}

export const mortgageOnShare = (draft: Draft): void => {
  if (draft.holdings.length < 2) return
  draft.cases.add('section_a_target')
  const holding = draft.random.pick(draft.holdings)
  const share = shareOf(draft, holding)
  const prefix = `갑구${share.prefix}`
  mortgage(draft, { share: { prefix, target: share.target ?? '', note: holding.name } })
}

/** All that can happen to a mortgage, one below the other: `2-1`, `2-2`, `2-3`. */
export const busyMortgage = (draft: Draft): void => {
  const made = mortgage(draft)
  changeAmount(draft, made)
  draft.pending.push(() => {
    if (!isAlive(made.entry)) return
    changeDebtor(draft, made)
    transferMortgage(draft, made)
  })
}
