/** Reports a closed register, which no longer describes a property [documents 13.10]. */
import { squeeze } from '../fields/normal-text.ts'
import { type Finding, finding } from '../schema/document.ts'
import { entryId } from '../tables/entry-id.ts'
import type { Table } from '../tables/read-tables.ts'
import { type Row, textIn } from '../tables/row.ts'
import { TABLE_HEADS, type TableKind } from '../tables/table-kind.ts'

const TITLE_KINDS: readonly TableKind[] = ['land', 'building', 'exclusive_part']
/** 폐쇄, but not a mention of another register that was closed (폐쇄된, 폐쇄등기부). */
const CLOSED = /폐쇄(?!된|되었던|등기|용지|기록|부)/

const MESSAGE =
  'The register is closed: the property was merged, divided, demolished or registered again. Its entries are no longer in force.'

const causeOf = (row: Row): string => squeeze(textIn(row, TABLE_HEADS[row.kind].columns.length - 1))

/** @param isTitleClosed whether the title of the certificate states it */
export const checkClosed = (
  tables: readonly Table[],
  isTitleClosed: boolean,
): readonly Finding[] => {
  const row = tables
    .filter(({ kind }) => TITLE_KINDS.includes(kind))
    .flatMap(({ rows }) => rows)
    .findLast((each) => CLOSED.test(causeOf(each)))
  if (row === undefined && !isTitleClosed) return []
  return [finding('REGISTER_CLOSED', MESSAGE, row === undefined ? null : entryId(row))]
}
