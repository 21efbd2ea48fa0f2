/**
 * The further cells of a running node. Each is opened separately and retried every second until it answers, so a cell
 * that does not answer affects only its own workspaces.
 */
import { setTimeout } from 'node:timers/promises'
import { type Config, configOfCell, databaseUrlOf } from '#config/config.ts'
import { shownAddress } from '#config/shown-address.ts'
import type { NodeRole } from '#core/node-role.ts'
import type { Spans } from '#core/trace/spans.ts'
import { createLogger } from '#log/logtape.ts'
import { checkInstanceKey } from '#service/bootstrap.ts'
import { checkCellName } from '#service/cells/check-cell-name.ts'
import type { FurtherCell } from '#service/deps.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { createCellHints, type HintName, type Hints } from '#service/hints.ts'
import { orAfter } from '#service/or-after.ts'
import { type DatabaseCondition, watchDatabase } from '#store/database-condition.ts'
import { composeDeps, openConfigured } from './compose.ts'
import { prepareDatabase } from './database/prepare-database.ts'
import { finishCellRotation } from './keys/finish-key-rotation.ts'
import type { Stoppable } from './stoppable.ts'

const RETRY_MS = 1_000
const WARN_EVERY = 30

/** A cell whose database has answered and has the schema of this binary. */
export type NodeCell = Readonly<{
  name: string
  /** The settings with the database of the cell. */
  config: Config
  deps: AllDeps
  condition: DatabaseCondition
}>

export type CellOptions = Readonly<{
  role: NodeRole
  onHint: (name: HintName, key: string) => void
  spans: Spans
}>

export interface NodeCells {
  readonly furtherCells: () => readonly FurtherCell[]
  /** The hints of a cell; null if it is unknown or has not answered yet. */
  hintsOf(name: string): Hints | null
  /** Whether each cell answers now, for /healthz; undefined if the instance has one database. */
  health(): Promise<Readonly<Record<string, CellState>> | undefined>
  /**
   * Starts to open them, once the home cell serves.
   * @param onReady called once for each cell; its errors are logged
   * @returns a part whose end leaves open cells open
   */
  open(home: AllDeps, onReady: (cell: NodeCell) => Promise<void>): Stoppable
  close(): Promise<void>
}

/** Milliseconds. A probe must not wait for a cell that hangs. */
const PATIENCE_MS = 2_000

type CellState = 'ok' | 'unavailable'

const examineCell = async ({ deps, condition }: NodeCell): Promise<CellState> => {
  try {
    await deps.db.now()
    return (await condition.check()) === null ? 'ok' : 'unavailable'
  } catch {
    return 'unavailable'
  }
}

const stateOf = async (cell: NodeCell | undefined): Promise<CellState> =>
  cell === undefined ? 'unavailable' : orAfter(examineCell(cell), PATIENCE_MS, 'unavailable')

/** Creates the cells without opening them. */
export const createNodeCells = (config: Config, options: CellOptions): NodeCells => {
  const log = createLogger('cells')
  const ready = new Map<string, NodeCell>()
  const stopped = new AbortController()
  const furtherCells = (): readonly FurtherCell[] =>
    config.cells.map(({ name }) => ({ name, db: ready.get(name)?.deps.db ?? null }))

  const tryToOpen = async (home: AllDeps, name: string): Promise<NodeCell> => {
    const own = configOfCell(config, name)
    const { db, condition } = watchDatabase(await openConfigured(own))
    try {
      await prepareDatabase(own, db, { role: options.role, condition })
      const { onHint, spans } = options
      const hints = createCellHints(home.hints, name, onHint)
      const deps = composeDeps(own, db, { home: home.db, furtherCells, hints, spans })
      await finishCellRotation(config, deps, name)
      await checkInstanceKey(deps)
      await checkCellName(db, name)
      return { name, config: own, deps, condition }
    } catch (error) {
      await db.close()
      throw error
    }
  }

  const openOne = async (home: AllDeps, name: string): Promise<NodeCell | null> => {
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      try {
        return await tryToOpen(home, name)
      } catch (error) {
        if (failures % WARN_EVERY === 0) {
          const database = shownAddress(databaseUrlOf(configOfCell(config, name)))
          const fields = { cell: name, database, error }
          log.warn('A cell cannot be used yet: its workspaces answer 503. Trying again.', fields)
        }
        await setTimeout(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
      }
    }
    return null
  }

  return {
    furtherCells,
    hintsOf: (name) => ready.get(name)?.deps.hints ?? null,
    health: async () => {
      if (config.cells.length === 0) return undefined
      const states = config.cells.map(
        async ({ name }) => [name, await stateOf(ready.get(name))] as const,
      )
      return Object.fromEntries(await Promise.all(states))
    },
    open: (home, onReady) => {
      const opening = config.cells.map(async ({ name }) => {
        const cell = await openOne(home, name)
        if (cell === null) return
        ready.set(name, cell)
        if (stopped.signal.aborted) return
        try {
          await onReady(cell)
          log.info('Serves the workspaces of a cell.', { cell: name })
        } catch (error) {
          log.error('A cell could not be served.', { cell: name, error })
        }
      })
      return {
        stop: async () => {
          stopped.abort()
          await Promise.all(opening)
        },
      }
    },
    close: async () => {
      for (const { deps } of ready.values()) await deps.db.close()
    },
  }
}
