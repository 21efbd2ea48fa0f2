/** Warns about entries whose required fields are missing. */
import type { Finding } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'
import type { EntryDraft } from './entry-draft.ts'

const REMARKS: Readonly<Record<string, string>> = {
  FOREIGN_CURRENCY: 'An amount in foreign money is left in the notes: amounts are in won.',
  OLD_CURRENCY:
    'An amount in 환, the currency until 1962, is left in the notes: amounts are in won.',
  AMOUNT_NOT_READ: 'An amount could not be read and is left in the notes.',
  PERSON_NOT_READ: 'A holder without a name is left in the notes.',
  PERSONS_UNCLEAR:
    'A line of holders may name several as one, or has other text; it is in the notes.',
  LIST_NUMBER_NOT_READ: 'The number of a list could not be read and is left in the notes.',
  COLLATERAL_NOT_READ: 'A property given as collateral could not be read and is left in the notes.',
  FIELD_REPEATED: 'A field occurs twice; the second value is left in the notes.',
  LABEL_UNKNOWN: 'A label is not known; its line is left in the notes.',
  RANK_NOT_READ: 'An entry begins here, but its rank was not read.',
  RECEIPT_NOT_READ: 'The receipt has text besides date and number.',
  SHARE_NOT_WHOLE: 'A share is not a fraction of whole numbers.',
  RESTORATION: 'A restored entry has no action of its own: it is given as 변경.',
  PURPOSE_UNKNOWN: 'The purpose fits none of the known kinds.',
  PURPOSE_MISSING: 'A main entry without a purpose.',
}

/**
 * Turns the remarks of the entries into warnings.
 * @param linked the same entries with their links, by which a purpose that names only a rank got the right of this rank
 */
export const remarksOf = (
  drafts: readonly EntryDraft[],
  linked: readonly RegistryEntry[],
): readonly Finding[] => {
  const classified = new Set(linked.filter(isClassified).map(({ entry_id: id }) => id))
  return drafts.flatMap(({ entry: { entry_id: id }, remarks }) =>
    [...new Set(remarks)]
      .filter((code) => code !== UNKNOWN || !classified.has(id))
      .map((code) => ({ code, message: REMARKS[code] ?? code, entry_id: id })),
  )
}

const UNKNOWN = 'PURPOSE_UNKNOWN'

const isClassified = ({ purpose }: RegistryEntry): boolean =>
  [purpose, ...purpose.sub_purposes].every(({ right_type: right }) => right !== '미분류')
