/** Copies the rows of a workspace from one cell to another and compares both sides. Meanwhile both sides hold the workspace. */
import { conflict } from '#core/error.ts'
import { sizeOfRow } from '#store/batch.ts'
import type { Database } from '#store/database.ts'
import { findCopiedFaults } from '#store/workspace-copy/find-faults.ts'
import { readRows, readSettings } from '#store/workspace-copy/read-rows.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import {
  findBrokenReference,
  insertCopiedRow,
  insertCopiedWorkspace,
} from '#store/workspace-copy/write-rows.ts'
import type { HeldWorkspace } from '#store/workspaces/held.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { createSmallWrites } from '../portions/small-writes.ts'
import { tallyTable } from '../workspace-copy/tally-table.ts'

export type Sides = Readonly<{ source: Database; target: Database }>

export type CopyDeps = Pick<Deps, 'keyring' | 'passFault'>

/**
 * Copies the workspace's row without its notification rules. These follow last, so that copied failures are not reported again.
 */
export const copyWorkspaceRow = async (
  { keyring }: CopyDeps,
  { source, target }: Sides,
  held: HeldWorkspace,
): Promise<void> => {
  const { workspaceColumns: columns } = copiedSchema()
  const workspace = await findWorkspace(source, held.ws)
  for await (const [row] of readSettings(source, held.ws, columns)) {
    if (row === undefined || workspace === null) continue
    const settings = row.map((value, at) => (columns[at] === 'notify' ? null : value))
    // the cells of an instance have one instance key
    const { wrappedKey } = workspace
    const copied = { columns, row: settings, wrappedKey, keyCheck: keyring.checkValue() }
    await target.write([insertCopiedWorkspace(held, copied)], { retry: true })
  }
}

/** Copies all rows. Each is inserted once, however often this is called. @returns how many rows were read */
export const copyRows = async (
  { passFault }: CopyDeps,
  { source, target }: Sides,
  { held, onRows }: Readonly<{ held: HeldWorkspace; onRows: (rows: number) => void }>,
): Promise<number> => {
  let rows = 0
  const writes = createSmallWrites({ db: target }, () => {
    passFault('move_batch')
    onRows(rows)
  })
  for (const table of copiedSchema().tables) {
    for await (const page of readRows(source, table, held.ws)) {
      for (const row of page) {
        rows += 1
        await writes.add(insertCopiedRow(held, table, row), sizeOfRow(row))
      }
    }
  }
  await writes.end()
  return rows
}

const differs = (what: string): Error =>
  conflict(`The copy of the workspace differs: ${what}.`, { code: 'move_differs' })

/** Reads and compares every row of both sides. @throws {AppError} conflict `move_differs` */
export const compareSides = async ({ source, target }: Sides, ws: string): Promise<void> => {
  for (const table of copiedSchema().tables) {
    const [wanted, is] = await Promise.all([
      tallyTable(source, table, ws),
      tallyTable(target, table, ws),
    ])
    if (wanted.rows !== is.rows || wanted.sha256 !== is.sha256) {
      throw differs(`table ${table.name} has ${is.rows} rows of ${wanted.rows}`)
    }
    const broken = await findBrokenReference(target, table, ws)
    if (broken !== null) throw differs(`${broken} refers to a row that is missing`)
  }
  const faults = await findCopiedFaults(target, ws)
  if (faults.length > 0) throw differs(`it breaks invariants (${faults.join('; ')})`)
}
