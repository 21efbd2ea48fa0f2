/** `svc workspace create|suspend|resume <ws>`; export, import and discard are in workspace-copy.ts. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { isWorkspaceId, WORKSPACE_ID_RULE } from '#core/workspace-id.ts'
import { withDeps, withExistingDeps, withWorkspaceDeps } from '#node/with-deps.ts'
import { listWorkspacesInCells, type PlacedWorkspace } from '#service/cells/list-workspaces.ts'
import type { Deps } from '#service/deps.ts'
import { administerWorkspace } from '#service/workspaces/administer-workspace.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { listPlaces } from '#store/workspaces/cells.ts'
import { commandGroup } from '../command.ts'
import { parseArguments, textOption } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { type Columns, jsonOption, printAnswer, printLine, printTable } from '../print.ts'
import { discardCommand, exportCommand, importCommand } from './workspace-copy.ts'
import { moveCommand } from './workspace-move.ts'

const argumentsSchema = z.object({
  ws: z.string().refine(isWorkspaceId, WORKSPACE_ID_RULE),
  name: z.string().min(1, '--name must not be empty.').max(200, '--name is too long.').optional(),
  cell: z.string().min(1, '--cell must not be empty.').optional(),
})

const createCommand: CommandModule = {
  command: 'create <ws>',
  describe: 'Create a workspace',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace ID: a-z, 0-9 and -' })
      .option('name', textOption('Display name'))
      .option(
        'cell',
        textOption('Database of the workspace: one of SVC_CELLS (default: the first)'),
      )
      .example('$0 workspace create sales --name "Sales team"', '')
      .example('$0 workspace create sales --cell eu', 'With the SVC_CELLS of the nodes'),
  handler: async (flags) => {
    const { ws, name, cell } = parseArguments(argumentsSchema, flags)
    await withDeps(loadCommandConfig(flags), (deps) =>
      createWorkspace(deps, { id: ws, name: name ?? ws, ...(cell === undefined ? {} : { cell }) }),
    )
    process.stdout.write(
      `Created workspace ${ws}${cell === undefined ? '' : ` in cell ${cell}`}.\n`,
    )
  },
}

const namedSchema = z.object({ ws: z.string() })

const suspendCommand = (isSuspended: boolean): CommandModule => ({
  command: `${isSuspended ? 'suspend' : 'resume'} <ws>`,
  describe: isSuspended
    ? 'Refuse paid calls of a workspace'
    : 'Accept paid calls of a workspace again',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace ID' })
      .example(`$0 workspace ${isSuspended ? 'suspend' : 'resume'} acme`, ''),
  handler: async (flags) => {
    const { ws } = parseArguments(namedSchema, flags)
    await withWorkspaceDeps(loadCommandConfig(flags), ws, ({ deps }) =>
      administerWorkspace(deps, { ws, rules: { isSuspended }, actor: CLI_ACTOR }),
    )
    process.stdout.write(`${isSuspended ? 'Suspended' : 'Resumed'} workspace ${ws}.\n`)
  },
})

const PAGE = 1_000

/** All workspaces of the instance, page by page. */
async function* allWorkspaces(deps: Pick<Deps, 'home' | 'furtherCells'>) {
  let after: string | null = null
  for (;;) {
    const page: readonly PlacedWorkspace[] = await listWorkspacesInCells(deps, {
      after,
      limit: PAGE,
    })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.workspace.id ?? null
  }
}

const listCommand: CommandModule = {
  command: 'list',
  describe: 'List workspaces and their databases',
  builder: (yargs) =>
    yargs
      .option('json', jsonOption)
      .example('$0 workspace list', 'Also shows which workspaces are being moved'),
  handler: (flags) =>
    withExistingDeps(loadCommandConfig(flags), async (deps) => {
      const moving = new Map(
        (await listPlaces(deps.home)).map(({ ws, movingTo }) => [ws, movingTo] as const),
      )
      const rows: ListedWorkspace[] = []
      for await (const { workspace, cell } of allWorkspaces(deps)) {
        const { id, name, suspendedAt } = workspace
        const movingTo = moving.get(id) ?? null
        rows.push({ id, name, cell, moving_to: movingTo, suspended: suspendedAt !== null })
      }
      const away = deps.furtherCells().flatMap(({ name, db }) => (db === null ? [name] : []))
      printAnswer(flags, { items: rows, unavailable_cells: away }, () => {
        printTable(COLUMNS, rows)
        for (const name of away)
          printLine(`The cell ${name} does not answer: its workspaces are missing.`)
      })
    }),
}

type ListedWorkspace = Readonly<{
  id: string
  name: string
  cell: string
  moving_to: string | null
  suspended: boolean
}>

const stateOf = ({ moving_to: movingTo, suspended }: ListedWorkspace): string => {
  const state = suspended ? 'suspended' : 'active'
  return movingTo === null ? state : `${state}, moving to ${movingTo}`
}

const COLUMNS: Columns<ListedWorkspace> = {
  WORKSPACE: ({ id }) => id,
  CELL: ({ cell }) => cell,
  STATUS: stateOf,
  NAME: ({ name }) => name,
}

export const command = commandGroup([
  createCommand,
  listCommand,
  moveCommand,
  suspendCommand(true),
  suspendCommand(false),
  exportCommand,
  importCommand,
  discardCommand,
])
