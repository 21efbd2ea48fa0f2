/** `svc apps`, `svc apps actions <app>`, `svc apps history <app>`, `svc apps redeploy <deployment_id>`. */
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { printJson, printLine, printTable } from '../print.ts'
import { confirmRemoval, deploymentChanges, printChanges } from '../print-changes.ts'
import { appsCommand as listCommand } from './lists.ts'

const SHORT_COMMIT = 16

const actions = z.looseObject({
  items: z.array(z.looseObject({ key: z.string(), entrypoint: z.string(), tag: z.string() })),
})

const actionsCommand: CommandModule = {
  command: 'actions <app>',
  describe: 'List an app’s actions',
  builder: (yargs) => yargs.positional('app', { type: 'string', describe: 'Its key' }),
  handler: async (flags) => {
    const app = String(flags.app)
    const found = await createClient().call(actions, `/apps/${encodeURIComponent(app)}/actions`)
    if (flags.json === true) return printJson(found)
    if (found.items.length === 0) return printLine(`${app} has no actions.`)
    printTable(
      ['ACTION', 'ENTRYPOINT', 'TAG'],
      found.items.map((row) => [`${app}/${row.key}`, row.entrypoint, row.tag]),
    )
  },
}

const history = z.looseObject({
  items: z.array(
    z.looseObject({
      deployment_id: z.string(),
      commit: z.string(),
      message: z.string().nullable(),
      created_by: z.string(),
      created_at: z.string(),
    }),
  ),
})

const historyCommand: CommandModule = {
  command: 'history <app>',
  describe: 'List an app’s deployments, newest first',
  builder: (yargs) =>
    yargs
      .positional('app', { type: 'string', describe: 'Its key' })
      .option('limit', { type: 'number', default: 20, describe: '1 to 500' }),
  handler: async (flags) => {
    const query = new URLSearchParams({ limit: String(flags.limit) })
    const path = `/apps/${encodeURIComponent(String(flags.app))}/history?${query}`
    const found = await createClient().call(history, path)
    if (flags.json === true) return printJson(found)
    if (found.items.length === 0) return printLine('No deployments.')
    printTable(
      ['DEPLOYMENT', 'COMMIT', 'BY', 'CREATED', 'MESSAGE'],
      found.items.map((row) => [
        row.deployment_id,
        row.commit.slice(0, SHORT_COMMIT),
        row.created_by,
        row.created_at,
        row.message ?? '–',
      ]),
    )
  },
}

const deployed = z.looseObject({ deployment_id: z.string(), app: z.string(), commit: z.string() })

const redeployCommand: CommandModule = {
  command: 'redeploy <deployment_id>',
  describe: 'Deploy the content of a former deployment again',
  builder: (yargs) =>
    yargs
      .positional('deployment_id', { type: 'string', describe: 'As svc apps history lists it' })
      .option('message', { type: 'string', requiresArg: true, describe: 'For its record' })
      .option('yes', {
        alias: 'y',
        type: 'boolean',
        default: false,
        describe: 'Also when it removes something that is deployed',
      }),
  handler: async (flags) => {
    const client = createClient()
    const path = `/deployments/${encodeURIComponent(String(flags.deployment_id))}`
    const changes = await client.call(deploymentChanges, `${path}/changes`)
    if (flags.json !== true) printChanges(changes)
    if (flags.yes !== true) await confirmRemoval(changes)
    const json = flags.message === undefined ? {} : { message: String(flags.message) }
    const made = await client.call(deployed, `${path}/redeploy`, { method: 'POST', json })
    if (flags.json === true) return printJson(made)
    printLine(
      `${made.app} is at ${made.commit.slice(0, SHORT_COMMIT)} again: ${made.deployment_id}`,
    )
  },
}

export const appsCommand: CommandModule = {
  command: 'apps',
  describe: 'List apps and their actions, go back to a former deployment',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 apps actions shop', 'what `svc run` takes')
      .example('$0 apps history shop', '')
      .command({ ...listCommand, command: '$0' })
      .command(actionsCommand)
      .command(historyCommand)
      .command(redeployCommand),
  handler: () => undefined,
}
