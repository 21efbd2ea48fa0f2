/** Gives the holders of an entry the names, numbers and addresses that later entries state for them (등기명의인표시변경). */
import { squeeze } from '../fields/normal-text.ts'
import { findRegistrationNumber } from '../fields/number.ts'
import type { EntryContent, PersonInfo } from '../schema/entry.ts'
import type { EntryDraft } from './entry-draft.ts'
import { inOrder, parentRank } from './entry-index.ts'
import { type HolderChange, readHolderChanges } from './holder-changes.ts'
import { changesOf, isRenaming, type Linking, orderedChanges, statusOf } from './linking.ts'

/** A debtor is not a holder (등기명의인). */
const isHolder = ({ role }: PersonInfo): boolean => role !== '채무자'

type Stated = Pick<PersonInfo, 'name' | 'resident_number' | 'address'>

const keyOf = ({ role, name, resident_number: number }: PersonInfo): string =>
  `${role} ${squeeze(name)} ${number}`

/** Whether a holder that is not struck through as a whole is the printed one. Its number may be struck. */
const isSame = (live: PersonInfo, printed: PersonInfo): boolean =>
  live.role === printed.role &&
  live.name === printed.name &&
  (live.resident_number === null || live.resident_number === printed.resident_number)

/** Whether a part of a holder is struck through. Of a name it is not known. */
const isStruck = (person: PersonInfo, part: HolderChange['part'], live: EntryContent): boolean => {
  const field = part === 'address' ? 'address' : 'resident_number'
  const ofName = live.persons.filter((each) => isSame(each, person))
  // a namesake whose number is struck may be another holder
  const known = ofName.find(({ resident_number: number }) => number !== null) ?? ofName[0]
  return part === 'name' || (known?.[field] ?? null) === null
}

/**
 * What the texts of changes, in their order, state of each holder of an entry.
 * @param holders by their roles, names and numbers
 */
const statedOf = (
  holders: ReadonlyMap<string, PersonInfo>,
  texts: readonly string[],
  live: EntryContent,
): ReadonlyMap<string, Partial<Stated>> => {
  const names = new Map([...holders].map(([key, { name }]) => [key, squeeze(name)]))
  const stated = new Map<string, Partial<Stated>>()
  for (const text of texts) {
    const squeezed = squeeze(text)
    const known = new Set([...names.values()].filter((name) => squeezed.includes(name)))
    // most changes are of other holders of the right, of which there may be thousands
    if (known.size === 0 && !namesNoHolder(text)) continue
    const before = new Map(names)
    for (const { part, holder, after } of readHolderChanges(text, [...known])) {
      const ofName = (known: ReadonlyMap<string, string>) =>
        [...holders].filter(([key]) => holder === null || known.get(key) === holder)
      const old = ofName(before)
      // a line may use the new name that a line above states
      const named = old.length > 0 ? old : ofName(names)
      // without its name, the change is certain only of a single holder; a number or address that is not struck stays
      const certain = holder === null && named.length > 1 ? [] : named
      for (const [key] of certain.filter(([, each]) => isStruck(each, part, live))) {
        stated.set(key, { ...stated.get(key), ...factOf(part, after) })
        if (part === 'name') names.set(key, squeeze(after))
      }
    }
  }
  return stated
}

/** Whether a text states a name, number or address without the name of the holder before, as in `성명 한가람`. */
const namesNoHolder = (text: string): boolean =>
  readHolderChanges(text).some(({ holder }) => holder === null)

const factOf = (part: HolderChange['part'], after: string): Partial<Stated> => {
  if (part === 'name') return { name: after }
  if (part === 'address') return { address: after }
  const number = part === 'number' ? findRegistrationNumber(after) : null
  return number === null ? {} : { resident_number: number }
}

/** What states the holder of a right. In section A, a change may state another creditor. */
const TRANSFERS: ReadonlySet<string> = new Set(['이전', '일부이전', '변경', '경정'])

/** The entries in force that change one, or, behind an entry that states who holds the right of another, this right. */
const ownChanges = (draft: EntryDraft, linking: Linking): readonly EntryDraft[] => {
  const { index } = linking
  const { rank_number: rank, purpose } = draft.entry
  const isInForce = (by: EntryDraft): boolean => !statusOf(linking, by).is_cancelled
  const own = changesOf(linking, draft).filter(isInForce)
  const parent = parentRank(rank)
  const [right] = parent === null ? [] : index.ofRank(draft.section, parent)
  if (right === undefined || !TRANSFERS.has(purpose.action_type)) return own
  const from = index.placeOf(draft)
  const ofRight = orderedChanges(linking, right)
  // without a renaming, the changes of the right matter to none of its thousands of transfers
  if (ofRight.lastRenaming <= from) return own
  const later = ofRight.changes.filter((by) => index.placeOf(by) > from && isInForce(by))
  return inOrder(index, [...own, ...later])
}

const OWNERS: ReadonlySet<string> = new Set(['소유자', '공유자', '수탁자'])

/** A transfer of ownership strikes no owner before, also if it ends a trust. */
const CORRECTIONS: ReadonlySet<string> = new Set(['변경', '경정'])
const REPLACEMENTS: ReadonlySet<string> = new Set([...CORRECTIONS, '이전'])

/** Whether another change states who holds instead of a holder. A correction may make one owner several. */
const isReplacedBy = ({ role }: PersonInfo, by: EntryDraft): boolean =>
  !isRenaming(by) &&
  (OWNERS.has(role) ? CORRECTIONS : REPLACEMENTS).has(by.entry.purpose.action_type) &&
  by.entry.content.persons.some(
    (other) => other.role === role || (OWNERS.has(other.role) && OWNERS.has(role)),
  )

/** A holder that is struck through as a whole, because all that was printed of it changed. */
const restatedHolder = (person: PersonInfo, stated: Partial<Stated>, live: EntryContent) => {
  const notes = squeeze(live.notes_raw ?? '')
  const isLive = person.address !== null && notes.includes(squeeze(person.address))
  return { ...person, resident_number: null, address: isLive ? person.address : null, ...stated }
}

/** The lines of a text that the other text has too. */
const linesIn = (text: string | null, other: string | null): string | null => {
  const known = new Set(other?.split('\n'))
  return (
    text
      ?.split('\n')
      .filter((line) => known.has(line))
      .join('\n') || null
  )
}

/** Whether a part of a holder in force is struck through, and no change states another: its name, number or address. */
export const lacksPart = (
  { persons }: EntryContent,
  { entry, struckNames }: EntryDraft,
): boolean => {
  const printed = entry.content.persons.filter(isHolder)
  const stated = persons.filter(isHolder)
  return (
    printed.length === stated.length &&
    printed.some((person, at) => {
      const { name, resident_number: number = null, address = null } = stated[at] ?? {}
      return (
        (number === null && person.resident_number !== null) ||
        (address === null && person.address !== null) ||
        (name === person.name && struckNames.includes(squeeze(name)))
      )
    })
  )
}

/** What later entries in force state of each printed holder of an entry, and these entries. */
const statementsOf = (draft: EntryDraft, linking: Linking) => {
  const holders = draft.entry.content.persons.filter(isHolder)
  if (holders.length === 0) return NO_STATEMENTS
  const changes = ownChanges(draft, linking)
  const texts = changes.filter(isRenaming).map(({ entry }) => entry.content.notes_raw ?? '')
  if (texts.length === 0) return NO_STATEMENTS
  const known = new Map(holders.map((person) => [keyOf(person), person]))
  return { changes, stated: statedOf(known, texts, draft.liveContent) }
}

const NO_STATEMENTS: Readonly<{
  changes: readonly EntryDraft[]
  stated: ReadonlyMap<string, Partial<Stated>>
}> = { changes: [], stated: new Map() }

/** Whether later entries state the name, number or address of a holder of the entry. */
export const isRenamed = (draft: EntryDraft, linking: Linking): boolean =>
  statementsOf(draft, linking).stated.size > 0

/** The holders of an entry in force as later entries state them. Without their statements, as `content` has them. */
export const withStatedHolders = (
  content: EntryContent,
  draft: EntryDraft,
  linking: Linking,
): EntryContent => {
  const { changes, stated } = statementsOf(draft, linking)
  if (stated.size === 0) return content
  const { persons: printed, shares, notes_raw: notes } = draft.entry.content
  const left = [...content.persons]
  const found = printed.flatMap((person) => {
    const at = left.findIndex((each) => isSame(each, person))
    const own = isHolder(person) ? stated.get(keyOf(person)) : undefined
    const [known] = at === -1 ? [] : left.splice(at, 1)
    if (known !== undefined) return [{ person, after: { ...known, ...own } }]
    if (own === undefined || changes.some((by) => isReplacedBy(person, by))) return []
    return [{ person, after: restatedHolder(person, own, content) }]
  })
  const isCompleted = found.length === printed.length && found.length > content.persons.length
  const after = new Map(found.map((each) => [each.person.name, each.after.name]))
  return {
    ...content,
    persons: [...found.map((each) => each.after), ...left],
    shares: (isCompleted ? shares : content.shares).map((share) => ({
      ...share,
      owner_name: after.get(share.owner_name) ?? share.owner_name,
    })),
    // what is not struck of a holder is a part of it again
    notes_raw: isCompleted ? linesIn(content.notes_raw, notes) : content.notes_raw,
  }
}
