/** The entries by which persons own the property. */
import type { RegistryEntry } from '../schema/entry.ts'

/** The kinds of ownership. */
export const OWNERSHIP: ReadonlySet<string> = new Set(['소유권보존', '소유권이전'])
/** The actions that give ownership. The cancellation of a transfer gives none: the owners before it stay. */
const GIVES: ReadonlySet<string> = new Set(['설정', '이전', '일부이전'])
/** Whether the entry has a main rank, or one that was not read. One such as `2-1` changes another entry. */
const isMain = ({ rank_number }: RegistryEntry): boolean => !rank_number.includes('-')

/** The entries that gave a person ownership of the property, in order. */
export const ownershipEntries = (sectionA: readonly RegistryEntry[]): readonly RegistryEntry[] =>
  sectionA.filter(
    (entry) =>
      isMain(entry) &&
      !entry.status.is_cancelled &&
      // a compound lists its purposes separately: a provisional registration and the transfer that followed it
      [entry.purpose, ...entry.purpose.sub_purposes].some(
        ({ right_type: right, action_type: action }) => OWNERSHIP.has(right) && GIVES.has(action),
      ),
  )
