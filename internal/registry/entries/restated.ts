/** Finds what a later change states again: the amounts and holders that it replaces. */
import { inHangul } from '../fields/hanja.ts'
import { squeeze } from '../fields/normal-text.ts'
import { endedHolder } from './classify-purpose.ts'
import type { EntryDraft } from './entry-draft.ts'
import { inOrder, parentRank } from './entry-index.ts'
import { meaningOf } from './label.ts'
import { type Linking, statusOf } from './linking.ts'

/** Rights whose transfer strikes the holder before. */
const TRANSFERRED: ReadonlySet<string> = new Set(['근저당권', '전세권', '임차권', '지상권'])
const CHANGES: ReadonlySet<string> = new Set(['변경', '경정', '이전'])
/** Also who holds a part may be replaced, if the whole right is transferred later. */
const RESTATED: ReadonlySet<string> = new Set([...CHANGES, '일부이전'])

/** The causes by which a debtor joins those before, who then stay. */
const JOINS = /중첩적|병존적|추가/

/** Whether the debtor of a change joins those before. */
const addsDebtor = ({ entry: { cause } }: EntryDraft): boolean => JOINS.test(squeeze(cause.text))

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

/** What of an entry is not struck through: its amounts, its holders, and the roles of which nothing is struck. */
const openParts = (draft: EntryDraft): readonly string[] => {
  const { persons, amounts } = draft.liveContent
  const roles = [...new Set(persons.map(({ role }) => role))]
  return [
    ...new Set(amounts.map(({ type }) => `amount ${type}`)),
    ...roles.map((role) => `holder ${role}`),
    ...roles.filter((role) => isUntouched(draft, role)).map((role) => `all ${role}`),
  ]
}

/** The roles of which a change ends a holder, by its purpose or the rights column: `채권자 3. 말소`. */
const endedRoles = ({ entry, purposes }: EntryDraft): readonly string[] => {
  const notes = entry.content.notes_raw?.split('\n') ?? []
  const texts = [...purposes.map(({ purpose }) => purpose.normalized), ...notes.map(squeeze)]
  return texts.flatMap((text) => {
    const holder = endedHolder(inHangul(text))
    const meaning = holder === null ? undefined : meaningOf(holder)
    return meaning?.kind === 'person' ? meaning.role : []
  })
}

/** What a change strikes through in the entry that it changes, and in the changes before, as it states it again. */
const replacedParts = (by: EntryDraft): readonly string[] => {
  const { action_type: action, right_type: right } = by.entry.purpose
  const isTransfer = action === '이전' && TRANSFERRED.has(right)
  const roles = [...rolesOf(by)]
  return [
    ...[...typesOf(by)].map((type) => `amount ${type}`),
    ...(isTransfer ? roles.map((role) => `holder ${role}`) : []),
    ...roles.filter((role) => replacesAll(by, role)).map((role) => `all ${role}`),
    ...endedRoles(by).map((role) => `all ${role}`),
  ]
}

const nameOf = (part: string): string => (part.startsWith('amount') ? 'an amount' : 'a holder')

/** What an entry states again and the other still has without a strike: an amount or a holder. */
const unstruck = (linking: Linking, target: EntryDraft, by: EntryDraft): string | null => {
  if (target.entry.purpose.right_type !== by.entry.purpose.right_type) return null
  const open = linking.openParts.get(target) ?? new Set(openParts(target))
  linking.openParts.set(target, open)
  const part = replacedParts(by).find((each) => open.has(each))
  return part === undefined ? null : nameOf(part)
}

/** The key of a part in the changes of one right of one entry. Null if the entry does not change one. */
const keyOf = ({ section, entry }: EntryDraft): ((part: string) => string) | null => {
  const parent = parentRank(entry.rank_number)
  if (parent === null || !CHANGES.has(entry.purpose.action_type)) return null
  return (part) => `${section} ${parent} ${entry.purpose.right_type} ${part}`
}

/** Notes what a change states without a strike, for the changes that follow it. */
export const addOpenChange = (linking: Linking, by: EntryDraft): void => {
  const key = keyOf(by)
  if (key === null || by.entry.provenance.is_visual_cancelled) return
  for (const part of openParts(by)) {
    const list = linking.openChanges.get(key(part))
    if (list === undefined) linking.openChanges.set(key(part), [by])
    else list.push(by)
  }
}

type Unstruck = Readonly<{ draft: EntryDraft; what: string }>

/**
 * The target of a change and the changes of the target before it that state without a strike what it states again. Each
 * is found once, however many changes follow.
 */
export const findUnstruck = (
  linking: Linking,
  target: EntryDraft,
  by: EntryDraft,
): readonly Unstruck[] => {
  const { reportedUnstruck: reported, openChanges, index } = linking
  const found = new Map<EntryDraft, string>()
  const what = reported.has(target) ? null : unstruck(linking, target, by)
  if (what !== null) found.set(target, what)
  const key = keyOf(by)
  const isOfTarget = parentRank(by.entry.rank_number) === target.entry.rank_number
  if (key !== null && isOfTarget && target.section === by.section) {
    const isAlive = (draft: EntryDraft): boolean => !statusOf(linking, draft).is_cancelled
    for (const part of isAlive(by) ? replacedParts(by) : []) {
      for (const draft of openChanges.get(key(part)) ?? []) {
        if (isAlive(draft) && !reported.has(draft) && !found.has(draft)) {
          found.set(draft, nameOf(part))
        }
      }
      openChanges.delete(key(part))
    }
  }
  for (const draft of found.keys()) reported.add(draft)
  return inOrder(index, found.keys()).map((draft) => ({ draft, what: found.get(draft) ?? '' }))
}

/** What a change states, and, as a debtor's role alone does not tell it, whether its debtors replace those before. */
const statedParts = (draft: EntryDraft): readonly string[] => {
  const roles = [...rolesOf(draft)]
  return [
    ...roles,
    ...(roles.includes('채무자') && !addsDebtor(draft) ? [DEBTORS] : []),
    ...typesOf(draft),
  ]
}

/** The part that a change states whose debtors replace those before. */
const DEBTORS = 'debtors'

/** Notes where each part is stated last, in the changes in force. */
export const addStatements = (linking: Linking, entries: readonly EntryDraft[]): void => {
  for (const [place, draft] of entries.entries()) {
    const key = keyOf(draft)
    if (key === null || statusOf(linking, draft).is_cancelled) continue
    for (const part of statedParts(draft)) linking.statements.set(key(part), place)
  }
}

/** Whether a later change of the same entry and right states a part again. */
const isStatedLater = (linking: Linking, draft: EntryDraft): ((part: string) => boolean) => {
  const { section, entry } = draft
  const parent = parentRank(entry.rank_number)
  const place = linking.index.placeOf(draft)
  if (statusOf(linking, draft).is_cancelled) return () => false
  const key = `${section} ${parent} ${entry.purpose.right_type}`
  return (part) => (linking.statements.get(`${key} ${part}`) ?? -1) > place
}

/** Whether a later change of the same entry states again what is struck through in this change. */
export const isRestated = (draft: EntryDraft, linking: Linking): boolean => {
  const { entry, liveContent: live } = draft
  const persons = entry.content.persons.length > live.persons.length
  const amounts = entry.content.amounts.length > live.amounts.length
  if ((!persons && !amounts) || !RESTATED.has(entry.purpose.action_type)) return false
  return [...rolesOf(draft), ...typesOf(draft)].some(isStatedLater(linking, draft))
}

/** Finds the parts of a restored entry that changes in force have replaced: its own, or, of a change, later ones of the same entry. */
export const findReplaced = (linking: Linking, draft: EntryDraft): ((part: string) => boolean) => {
  const { section, entry } = draft
  const own = linking.index
    .below(section, entry.rank_number)
    .filter(
      (other) =>
        other.entry.purpose.right_type === entry.purpose.right_type &&
        other.entry.purpose.action_type !== '일부이전' &&
        !statusOf(linking, other).is_cancelled,
    )
  const stated = new Set(own.flatMap(statedParts))
  const isChange = CHANGES.has(entry.purpose.action_type)
  const isLater = isChange ? isStatedLater(linking, draft) : () => false
  return (part) => {
    const known = part === '채무자' ? DEBTORS : part
    return stated.has(known) || isLater(known)
  }
}
