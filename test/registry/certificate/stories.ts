import { cancelMissing } from './cancellation.ts'
import type { CaseName } from './cases.ts'
import type { Draft } from './draft.ts'
import { changeHolder } from './holders.ts'
import { easement, superficies } from './land-rights.ts'
import { leaseByContract, leaseByOrder } from './lease-contracts.ts'
import { leaseStory } from './leases.ts'
import {
  busyMortgage,
  mortgageOnShare,
  mortgageRange,
  mortgageStory,
  twins,
} from './mortgage-stories.ts'
import { transferJointly, transferToOne, transferToSeveral } from './ownership.ts'
import { notify, reserve, seizeSeveral, sellInCourt } from './provisional.ts'
import { attachProvisionally, enjoin, openAuction, seize } from './restraints.ts'
import { transferAllShares, transferHalf, transferPartOfShare, transferShare } from './shares.ts'
import { agreeRepurchase, liftBan, prohibit, putInTrust } from './trust.ts'

/** Something that happens to a property. Ownership comes first, so that shares exist when rights are put on them. */
export type Story = {
  readonly of: CaseName
  readonly probability: number
  readonly tell: (draft: Draft) => unknown
}
const story = (of: CaseName, probability: number, tell: Story['tell']): Story => ({
  of,
  probability,
  tell,
})

const needSeveral = (draft: Draft): void => {
  if (draft.holdings.filter(({ numerator }) => Number.isInteger(numerator)).length < 2) {
    transferToSeveral(draft)
  }
}
const needOne = (draft: Draft): void => {
  if (draft.holdings.length !== 1) transferToOne(draft)
}
const hasTwoWhole = (draft: Draft): boolean =>
  draft.holdings.filter(({ numerator }) => Number.isInteger(numerator)).length > 1

const sellWithRepurchase = (draft: Draft): void => {
  needOne(draft)
  const seller = draft.holdings[0]?.name ?? ''
  const sale = transferToOne(draft, '환매특약부매매')
  agreeRepurchase(draft, sale, seller)
}
const banThenSell = (draft: Draft): void => {
  const first = draft.entries.a[0]
  if (first?.purposes[0]?.right_type !== '소유권보존' || draft.entries.a.length > 1) return
  const ban = prohibit(draft, first)
  if (draft.random.chance(0.35)) return
  transferToOne(draft, '매매')
  if (!draft.random.chance(0.85)) return
  liftBan(draft, ban)
}
const withShares = (tell: (draft: Draft) => unknown) => (draft: Draft) => {
  needSeveral(draft)
  // decimal shares are not divided further
  return hasTwoWhole(draft) ? tell(draft) : undefined
}
const withOne = (tell: (draft: Draft) => unknown) => (draft: Draft) => {
  needOne(draft)
  return tell(draft)
}

/** These must come before anything else. */
export const FIRST_STORIES: readonly Story[] = [story('prohibition', 0.2, banThenSell)]

export const OWNERSHIP_STORIES: readonly Story[] = [
  story('repurchase', 0.08, sellWithRepurchase),
  story('compound_trust', 0.15, withOne(putInTrust)),
  story('joint_owners', 0.06, transferJointly),
  story('co_owners', 0.3, transferToSeveral),
  story('many_co_owners', 0.08, transferToSeveral),
  story('decimal_share', 0.04, transferToSeveral),
  story('share_transfer', 0.14, withShares(transferShare)),
  story('owner_with_two_ranks', 0.06, withShares(transferShare)),
  story('part_of_share_transfer', 0.1, withShares(transferPartOfShare)),
  story('all_shares_transfer', 0.08, withShares(transferAllShares)),
  story('shared_trade_list', 0.15, withOne(transferHalf)),
  story('auction_sale', 0.1, withOne(sellInCourt)),
  story('trade_list', 0.2, (draft) => transferToOne(draft, '매매')),
  story('trade_list', 0.15, (draft) => transferToOne(draft, '매매')),
]

export const RIGHT_STORIES: readonly Story[] = [
  story('holder_address_change', 0.2, changeHolder),
  story('holder_correction', 0.12, changeHolder),
  story('provisional_registration', 0.15, reserve),
  story('compound_main_registration', 0.08, withOne(reserve)),
  story('not_cancelling_malso', 0.12, (draft) => notify(draft, true)),
  story('unclassified_purpose', 0.14, (draft) => notify(draft, false)),
  story('cancelled_entry', 0.35, attachProvisionally),
  story('partial_cancellation', 0.1, attachProvisionally),
  story('authority_without_number', 0.25, seize),
  story('state_with_office', 0.15, seize),
  story('managing_agency', 0.08, seize),
  story('authority_with_code', 0.12, seize),
  story('cancel_list', 0.12, seizeSeveral),
  story('long_cause', 0.2, openAuction),
  story('injunction_on_provisional', 0.15, (draft) => enjoin(draft, null)),
  story('target_not_found', 0.06, (draft) =>
    draft.isCurrentOnly ? undefined : cancelMissing(draft, 'b', '근저당권설정', '근저당권'),
  ),
]

export const SECTION_B_STORIES: readonly Story[] = [
  story('cancelled_entry', 0.6, mortgageStory),
  story('amount_change', 0.35, mortgageStory),
  story('debtor_change', 0.25, mortgageStory),
  story('pledge', 0.2, mortgageStory),
  story('restored_entry', 0.2, mortgageStory),
  story('cancel_range', 0.2, mortgageRange),
  story('several_sub_entries', 0.1, busyMortgage),
  story('twin_mortgages', 0.1, twins),
  story('section_a_target', 0.18, mortgageOnShare),
]
const LAND_STORIES: readonly Story[] = [
  story('superficies', 0.35, superficies),
  story('easement', 0.35, easement),
]
const BUILDING_STORIES: readonly Story[] = [
  story('deposit_change', 0.3, leaseStory),
  story('empty_purpose', 0.15, leaseStory),
  story('lease_order', 0.2, leaseByOrder),
  story('monthly_rent', 0.15, leaseByContract),
]
export const sectionBStories = (draft: Draft): Story[] => [
  ...SECTION_B_STORIES,
  ...(draft.propertyType === 'land' ? LAND_STORIES : BUILDING_STORIES),
]
