/**
 * Finds statements whose guard an earlier statement of the same batch makes false. Such a write never happens, and there is
 * no error. The check runs each batch twice on a second connection and rolls it back: first every statement alone, on the
 * rows from before the batch, then all in order. A statement that changes fewer rows in its batch than alone is a fault.
 *
 * The check costs no fsync. The batch itself goes to the database unchanged, whatever the check finds.
 */

import { openFileConnection } from '#store/backends/file-database-connection.ts'
import { statementsOf } from '#store/batch.ts'
import type { Database, Statement } from '#store/database.ts'
import { codeOf } from '#store/database-error.ts'

/** A statement, and the following ones that check by `changes()` what it changed. */
type Unit = readonly Statement[]

export type BatchFault = Readonly<{
  statement: string
  /** Rows that it changes without the statements before it, and with them. */
  alone: number
  inBatch: number
}>

export type CheckedDatabase = Readonly<{
  db: Database
  /** Closes the second connection. @throws {Error} a batch kept one of its statements from its work */
  finish: () => void
}>

const toUnits = (statements: readonly Statement[]): readonly Unit[] => {
  const units: Statement[][] = []
  for (const statement of statements) {
    const last = units.at(-1)
    if (last !== undefined && /\bchanges\(\)/.test(statement.sql)) last.push(statement)
    else units.push([statement])
  }
  return units
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export const checkBatches = (db: Database, path: string): CheckedDatabase => {
  // a large write of this process cannot end while the check waits
  const connection = openFileConnection({ path, busyWaitMs: 100 })
  const faults = new Map<string, BatchFault>()

  /** A statement that fails changes nothing. The batch itself reports the failure. */
  const countChanges = (unit: Unit): number => {
    try {
      return unit.reduce((sum, statement) => sum + connection.run(statement).changes, 0)
    } catch {
      return 0
    }
  }
  const countAlone = (unit: Unit): number => {
    connection.exec('SAVEPOINT alone')
    const count = countChanges(unit)
    if (connection.isInTransaction()) connection.exec('ROLLBACK TO alone')
    else connection.exec('BEGIN IMMEDIATE')
    return count
  }

  /** @returns false if another write has the lock. Then the batch is not checked. */
  const begin = (): boolean => {
    try {
      connection.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (codeOf(error) === 'SQLITE_BUSY') return false
      throw error
    }
  }

  const check = (statements: readonly Statement[]): void => {
    const units = toUnits(statements)
    if (units.length < 2 || !begin()) return
    try {
      const alone = units.map(countAlone)
      for (const [at, unit] of units.entries()) {
        const inBatch = countChanges(unit)
        const wanted = alone[at] ?? 0
        if (inBatch >= wanted) continue
        const statement = oneLine(unit[0]?.sql ?? '')
        faults.set(statement, { statement, alone: wanted, inBatch })
      }
    } finally {
      if (connection.isInTransaction()) connection.exec('ROLLBACK')
    }
  }

  return {
    db: {
      ...db,
      write: (batch, options) => {
        check(statementsOf(batch))
        return db.write(batch, options)
      },
    },
    finish: () => {
      connection.close()
      if (faults.size === 0) return
      const lines = [...faults.values()].map(
        ({ statement, alone, inBatch }) =>
          `${alone} rows alone, ${inBatch} in its batch: ${statement}`,
      )
      throw new Error(
        `An earlier statement of a batch makes the guard of a later one false.\n${lines.join('\n')}`,
      )
    },
  }
}
