/**
 * Who owns the property after the last entry of section A. A transfer does not strike the entry before it, so that the
 * entries are walked in their order: who comes takes all, the share of one, or a part beside the others.
 */
import type { RegistryDocument, RegistryEntry } from './document.ts'
import { squeeze } from './field/normal-text.ts'

const OWNERSHIP: ReadonlySet<string> = new Set(['소유권보존', '소유권이전'])
const OWNER_ROLES: ReadonlySet<string> = new Set(['소유자', '공유자', '수탁자'])
/** `2-1`: it changes another entry. */
const isMain = ({ rank_number }: RegistryEntry): boolean => /^\d+$/.test(rank_number)

/** The entries by which somebody came to own the property, in their order. */
export const ownershipEntries = (
  sectionA: RegistryDocument['section_a'],
): readonly RegistryEntry[] =>
  sectionA.filter(
    (entry) =>
      isMain(entry) && OWNERSHIP.has(entry.purpose.right_type) && !entry.status.is_cancelled,
  )

const namesOf = ({ content }: RegistryEntry): readonly string[] => {
  const named = content.persons.filter(({ role }) => OWNER_ROLES.has(role))
  return (named.length > 0 ? named : content.persons).map(({ name }) => name)
}

const isPartial = ({ purpose }: RegistryEntry): boolean =>
  purpose.action_type === '일부이전' || /소유권일부/.test(purpose.normalized)

const afterEntry = (owners: readonly string[], entry: RegistryEntry): readonly string[] => {
  const newOnes = namesOf(entry)
  const { target_owner: seller } = entry.purpose
  const leaves = (name: string): boolean => seller !== null && squeeze(name) === squeeze(seller)
  const stay = isPartial(entry)
    ? owners
    : seller === null
      ? []
      : owners.filter((name) => !leaves(name))
  return [...new Set([...stay, ...newOnes])]
}

/** Names, each once; the summary's where there is one, which the registry itself has drawn up. */
export const currentOwners = ({
  section_a: sectionA,
  major_summary: summary,
}: Pick<RegistryDocument, 'section_a' | 'major_summary'>): readonly string[] => {
  const stated = summary?.owners.map(({ name }) => name) ?? []
  if (stated.length > 0) return [...new Set(stated)]
  return ownershipEntries(sectionA).reduce<readonly string[]>(afterEntry, [])
}
