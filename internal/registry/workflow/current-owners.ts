/**
 * Determines who owns the property after the last entry of section A. A transfer does not strike the entry before it,
 * so the entries are processed in order: a new owner takes the whole, the share of one owner, or a part.
 */

import { squeeze } from '../fields/normal-text.ts'
import type { RegistryDocument } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'

const OWNERSHIP: ReadonlySet<string> = new Set(['소유권보존', '소유권이전'])
/** The actions that give ownership. The cancellation of a transfer gives none: the owners before it stay. */
const GIVES: ReadonlySet<string> = new Set(['설정', '이전', '일부이전'])
const OWNER_ROLES: ReadonlySet<string> = new Set(['소유자', '공유자', '수탁자'])
/** Whether the entry has a main rank. One such as `2-1` changes another entry. */
const isMain = ({ rank_number }: RegistryEntry): boolean => /^\d+$/.test(rank_number)

/** The entries that gave a person ownership of the property, in order. */
export const ownershipEntries = (
  sectionA: RegistryDocument['section_a'],
): readonly RegistryEntry[] =>
  sectionA.filter(
    (entry) =>
      isMain(entry) &&
      !entry.status.is_cancelled &&
      // a compound lists its purposes separately: a provisional registration and the transfer that followed it
      [entry.purpose, ...entry.purpose.sub_purposes].some(
        ({ right_type: right, action_type: action }) => OWNERSHIP.has(right) && GIVES.has(action),
      ),
  )

const namesOf = ({ content }: RegistryEntry): readonly string[] =>
  content.persons.filter(({ role }) => OWNER_ROLES.has(role)).map(({ name }) => name)

const isPartial = ({ purpose }: RegistryEntry): boolean =>
  purpose.action_type === '일부이전' || /소유권일부/.test(purpose.normalized)

/** Matches `나래신탁의 성명(명칭) 누리신탁`: the entry no longer has the struck name as a person, and this text has the new name. */
const RENAMED = /^(.+?)의\s*(?:성명\(명칭\)|성명|명칭|상호)\s+(.+)$/

const renamed = (owners: readonly string[], entry: RegistryEntry): readonly string[] => {
  const [, before, after] = RENAMED.exec(entry.content.notes_raw ?? '') ?? []
  if (before === undefined || after === undefined) return owners
  return [...owners.filter((name) => squeeze(name) !== squeeze(before)), after.trim()]
}

const afterEntry = (owners: readonly string[], entry: RegistryEntry): readonly string[] => {
  const newOnes = namesOf(entry)
  const { target_owner: seller } = entry.purpose
  const sellers = new Set(seller?.split(',').map(squeeze))
  const leaves = (name: string): boolean => sellers.has(squeeze(name))
  const stay = isPartial(entry)
    ? owners
    : seller === null
      ? []
      : owners.filter((name) => !leaves(name))
  return [...stay, ...newOnes]
}

/** Whether an entry corrects the owners of another, whose own owners are then struck and not its content. */
const isCorrection = ({ purpose, status }: RegistryEntry): boolean =>
  OWNERSHIP.has(purpose.right_type) &&
  /^(경정|변경)$/.test(purpose.action_type) &&
  !status.is_cancelled

/** Names of the owners, without duplicates. Taken from the summary if there is one, because the registry wrote it. */
export const currentOwners = ({
  section_a: sectionA,
  major_summary: summary,
}: Pick<RegistryDocument, 'section_a' | 'major_summary'>): readonly string[] => {
  const stated = summary?.owners.map(({ name }) => name) ?? []
  if (stated.length > 0) return [...new Set(stated)]
  const ownership = new Set(ownershipEntries(sectionA))
  const owners = sectionA.reduce<readonly string[]>((known, entry) => {
    if (isCorrection(entry)) return known.concat(namesOf(entry))
    if (ownership.has(entry)) return afterEntry(known, entry)
    const isRenaming = entry.purpose.right_type === '등기명의인표시변경'
    return isRenaming && !entry.status.is_cancelled ? renamed(known, entry) : known
  }, [])
  return [...new Set(owners)]
}
