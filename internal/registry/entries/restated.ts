/** Finds what a later change states again: the amounts and holders that it replaces. */
import { inHangul } from '../fields/hanja.ts'
import { squeeze } from '../fields/normal-text.ts'
import type { EntryDraft } from './entry-draft.ts'
import { parentRank } from './find-targets.ts'
import { type Linking, statusOf } from './linking.ts'

/** Rights whose transfer strikes the holder before. */
const TRANSFERRED: ReadonlySet<string> = new Set(['근저당권', '전세권', '임차권', '지상권'])
const CHANGES: ReadonlySet<string> = new Set(['변경', '경정', '이전'])
/** Also who holds a part may be replaced, if the whole right is transferred later. */
const RESTATED: ReadonlySet<string> = new Set([...CHANGES, '일부이전'])

/** The causes by which a debtor joins those before, who then stay. */
const JOINS = /중첩적|병존적|추가/

/** Whether the debtor of a change joins those before. */
export const addsDebtor = ({ entry: { cause } }: EntryDraft): boolean =>
  JOINS.test(squeeze(cause.text))

const rolesOf = ({ entry }: EntryDraft): ReadonlySet<string> =>
  new Set(entry.content.persons.map(({ role }) => role))
const typesOf = ({ entry }: EntryDraft): ReadonlySet<string> =>
  new Set(entry.content.amounts.map(({ type }) => type))

/** Whether the change replaces all holders of the role: the debtors of a mortgage, or joint owners. */
const replacesAll = (by: EntryDraft, role: string): boolean => {
  const { purpose } = by.entry
  if (purpose.action_type !== '변경' && purpose.action_type !== '경정') return false
  const isDebtor = role === '채무자' && !addsDebtor(by)
  return isDebtor || inHangul(purpose.normalized).includes('합유명의인')
}

/** Whether nothing of the holders of the role is struck through. One of several debtors may change, or only an address. */
const isUntouched = ({ entry, liveContent }: EntryDraft, role: string): boolean => {
  const [all, live] = [entry.content, liveContent].map(({ persons }) =>
    JSON.stringify(persons.filter((person) => person.role === role)),
  )
  return all === live && all !== '[]'
}

/** What an entry states again and the other still has without a strike: an amount or a holder. */
export const unstruck = (target: EntryDraft, by: EntryDraft): string | null => {
  const { purpose } = by.entry
  if (target.entry.purpose.right_type !== purpose.right_type) return null
  const types = typesOf(by)
  if (target.liveContent.amounts.some(({ type }) => types.has(type))) return 'an amount'
  const isTransfer = purpose.action_type === '이전' && TRANSFERRED.has(purpose.right_type)
  const roles = rolesOf(by)
  const keeps = isTransfer && target.liveContent.persons.some(({ role }) => roles.has(role))
  const keepsAll = [...roles].some((role) => replacesAll(by, role) && isUntouched(target, role))
  return keeps || keepsAll ? 'a holder' : null
}

/** Whether both change the same right of the same entry, and both are in force. */
export const isSibling = (
  linking: Linking,
  one: EntryDraft,
  other: EntryDraft,
  earlier: ReadonlySet<string> = CHANGES,
): boolean => {
  const parent = parentRank(one.entry.rank_number)
  const [purpose, otherPurpose] = [one.entry.purpose, other.entry.purpose]
  return (
    parent !== null &&
    parent === parentRank(other.entry.rank_number) &&
    purpose.right_type === otherPurpose.right_type &&
    earlier.has(purpose.action_type) &&
    CHANGES.has(otherPurpose.action_type) &&
    !statusOf(linking, one).is_cancelled &&
    !statusOf(linking, other).is_cancelled
  )
}

/** The changes of the target that came before. */
export const changesBefore = (
  linking: Linking,
  target: EntryDraft,
  by: EntryDraft,
): readonly EntryDraft[] => {
  const entries = linking.drafts[by.section]
  const isOfTarget = parentRank(by.entry.rank_number) === target.entry.rank_number
  if (target.section !== by.section || !isOfTarget) return []
  return entries
    .slice(0, entries.indexOf(by))
    .filter((other) => isSibling(linking, other, by) && !other.entry.provenance.is_visual_cancelled)
}

/** Whether a later change of the same entry states again what is struck through in this change. */
export const isRestated = (draft: EntryDraft, linking: Linking): boolean => {
  const { entry, liveContent: live } = draft
  const persons = entry.content.persons.length > live.persons.length
  const amounts = entry.content.amounts.length > live.amounts.length
  if (!persons && !amounts) return false
  const entries = linking.drafts[draft.section]
  return entries.slice(entries.indexOf(draft) + 1).some((later) => {
    if (!isSibling(linking, draft, later, RESTATED)) return false
    const roles = rolesOf(later)
    const types = typesOf(later)
    const isSaidAgain =
      entry.content.persons.some(({ role }) => roles.has(role)) ||
      entry.content.amounts.some(({ type }) => types.has(type))
    return isSaidAgain
  })
}
