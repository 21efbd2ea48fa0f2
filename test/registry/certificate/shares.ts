import { causeBefore } from './cancellation.ts'
import type { Draft, Holding } from './draft.ts'
import { addEntry } from './entry.ts'
import type { Entry } from './entry-shape.ts'
import { endHoldings, holdingOf, purposeOf, shareText } from './ownership.ts'
import { makeOwner, type Party, printParty } from './people.ts'
import { type Paragraph, plain } from './text.ts'
import { makeTradeValue, sameList, type TradeValue } from './trade.ts'

/** `2번한다솜지분`, for a right that lies on one owner's share; nothing when the property has one owner. */
export type ShareTarget = {
  readonly prefix: string
  readonly target: string | null
  readonly owner: string | null
}

export const shareOf = (draft: Draft, holding: Holding): ShareTarget => {
  const rank = holding.entries.at(-1)?.rank ?? ''
  draft.cases.add('owner_in_target')
  if (holding.name.includes('회사')) draft.cases.add('company_in_target')
  if (holding.name.includes(' ')) draft.cases.add('blank_in_target')
  return { prefix: `${rank}번${holding.name}지분`, target: rank, owner: holding.name }
}
/** Names with a blank are the harder ones, and rare. */
const isNotable = ({ name }: Holding): boolean => name.includes(' ')

export const maybeShare = (draft: Draft, probability: number): ShareTarget =>
  draft.holdings.length > 1 && draft.random.chance(probability)
    ? shareOf(draft, draft.holdings.find(isNotable) ?? draft.random.pick(draft.holdings))
    : { prefix: '', target: null, owner: null }

/** One line for role and share, or two; the print has both forms. */
const writeBuyer = (draft: Draft, buyer: Party, share: string) => {
  const printed = printParty('', '공유자', buyer, share)
  const indent = draft.cases.has('indented_shares') ? 2 : 0
  const named = printed.paragraphs.map((paragraph, index) =>
    index === 0 ? { ...paragraph, indent, hang: indent } : paragraph,
  )
  const head: Paragraph[] = draft.random.chance(0.5)
    ? [plain(`공유자  지분 ${share}`)]
    : [plain('공유자'), { ...plain(`지분 ${share}`), indent, hang: indent }]
  return { paragraphs: [...head, ...named], truth: printed.truth }
}

type Sale = {
  readonly printed: string
  readonly target: ShareTarget
  readonly buyer: Party
  readonly numerator: number
  readonly denominator: number
  readonly cause: string
  readonly value: TradeValue | null
}
const registerSale = (draft: Draft, sale: Sale): Entry => {
  const receipt = draft.receive()
  const share = shareText(sale.numerator, sale.denominator)
  const written = writeBuyer(draft, sale.buyer, share)
  const entry = addEntry(draft, 'a', {
    purposes: [
      {
        ...purposeOf(sale.printed),
        target: sale.target.target,
        targetOwner: sale.target.owner,
      },
    ],
    receipt,
    cause: causeBefore(draft, receipt, sale.cause),
    blocks: [[[...written.paragraphs, ...(sale.value?.paragraphs ?? [])]]],
    content: {
      persons: [written.truth],
      shares: [
        {
          owner_name: sale.buyer.name,
          raw: `지분 ${share}`,
          numerator: sale.numerator,
          denominator: sale.denominator,
        },
      ],
      ...sale.value?.content,
    },
  })
  sale.value?.settle(entry)
  const seller = draft.entries.a.find((each) => each.rank === sale.target.target)
  // the brief calls a transfer by number a link, and says nowhere that it modifies
  seller?.openModifications.push(entry)
  return entry
}

const partyOf = (holding: Holding): Party => ({ ...holding, branch: null })
const isWhole = (holding: Holding): boolean => Number.isInteger(holding.numerator)

/** `2번한다솜지분전부이전`: to someone new, or to another of the owners, who then owns by two ranks. */
export const transferShare = (draft: Draft): void => {
  const seller = draft.random.pick(draft.holdings.filter(isWhole))
  const others = draft.holdings.filter((each) => each !== seller && isWhole(each))
  const heir = others[0]
  const isSecond = heir !== undefined && draft.wants('owner_with_two_ranks', 0.35)
  const buyer = isSecond ? partyOf(heir) : makeOwner(draft)
  const target = shareOf(draft, seller)
  draft.cases.add('share_transfer')
  const { numerator, denominator } = seller
  const printed = `${target.prefix}전부이전`
  const value = makeTradeValue(draft)
  const cause = value === null ? '증여' : '매매'
  const entry = registerSale(draft, {
    printed,
    target,
    buyer,
    numerator,
    denominator,
    cause,
    value,
  })
  const rest = draft.holdings.filter((each) => each !== seller && !(isSecond && each === heir))
  const bought = isSecond
    ? addShares(heir, holdingOf(buyer, [entry], numerator, denominator))
    : holdingOf(buyer, [entry], numerator, denominator)
  draft.holdings = [...rest, bought]
}

const addShares = (first: Holding, second: Holding): Holding => ({
  ...first,
  numerator: first.numerator * second.denominator + second.numerator * first.denominator,
  denominator: first.denominator * second.denominator,
  entries: [...first.entries, ...second.entries],
})

/** `2번한다솜지분4분의2중 일부(8분의1)이전`. */
export const transferPartOfShare = (draft: Draft): void => {
  const seller = draft.random.pick(draft.holdings.filter(isWhole))
  const denominator = seller.denominator * 2
  const target = shareOf(draft, seller)
  draft.cases.add('part_of_share_transfer')
  const whole = `${seller.denominator}분의${seller.numerator}`
  const buyer = makeOwner(draft)
  const numerator = seller.numerator
  const printed = `${target.prefix}${whole}중 일부(${denominator}분의${numerator})이전`
  const entry = registerSale(draft, {
    printed,
    target,
    buyer,
    numerator,
    denominator,
    cause: '증여',
    value: null,
  })
  draft.holdings = [
    ...draft.holdings.filter((each) => each !== seller),
    { ...seller, denominator },
    holdingOf(buyer, [entry], numerator, denominator),
  ]
}

/** A sole owner sells half; sometimes the other half goes the same day under the same list of trades. */
export const transferHalf = (draft: Draft): void => {
  const [owner] = draft.holdings
  if (owner === undefined || draft.holdings.length !== 1) return
  draft.cases.add('co_owners')
  const buyer = makeOwner(draft)
  const none = { prefix: '', target: null, owner: null }
  const value = makeTradeValue(draft, 0.6)
  const half = { numerator: 1, denominator: 2, cause: '매매' }
  const entry = registerSale(draft, {
    ...half,
    printed: '소유권일부이전',
    target: none,
    buyer,
    value,
  })
  const number = entry.content.trade_list_number
  const rest = { ...owner, numerator: 1, denominator: 2 }
  draft.holdings = [rest, holdingOf(buyer, [entry], 1, 2)]
  if (typeof number !== 'string') return
  draft.cases.add('shared_trade_list')
  const target = shareOf(draft, rest)
  const second = makeOwner(draft)
  const sale = { ...half, printed: `${target.prefix}전부이전`, target, buyer: second }
  const other = registerSale(draft, { ...sale, value: sameList(number) })
  draft.holdings = [holdingOf(buyer, [entry], 1, 2), holdingOf(second, [other], 1, 2)]
}

/** `공유자전원지분전부이전`: to one. */
export const transferAllShares = (draft: Draft): void => {
  draft.cases.add('all_shares_transfer')
  const receipt = draft.receive()
  const owner = makeOwner(draft)
  const printed = printParty('소유자', '소유자', owner)
  endHoldings(draft)
  const entry = addEntry(draft, 'a', {
    purposes: [purposeOf('공유자전원지분전부이전')],
    receipt,
    cause: causeBefore(draft, receipt, '매매'),
    blocks: [[printed.paragraphs]],
    content: { persons: [printed.truth] },
  })
  draft.holdings = [holdingOf(owner, [entry], 1, 1)]
}
