/** `svc apps`, `svc apps actions <app>`, `svc apps history <app>`, `svc apps redeploy <deployment_id>`. */
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { shortCommit } from '#core/deploy/short-commit.ts'
import { addUsage, commandGroup, type Usage } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { jsonOption, printAnswer, printLine, printTable } from '../print.ts'
import { confirmRemoval, deploymentChanges, printChanges, yesOption } from '../print-changes.ts'
import { relativeTime } from '../relative-time.ts'
import { limitOption, listCommand, remoteCommand, segment } from '../remote-command.ts'

const list = listCommand({
  command: '$0',
  describe: 'List apps',
  path: '/apps',
  isWhole: true,
  row: z.looseObject({
    key: z.string(),
    name: z.string(),
    commit: z.string().nullable(),
    updated_at: z.string(),
  }),
  columns: {
    APP: ({ key }) => key,
    NAME: ({ name }) => name,
    COMMIT: ({ commit }) => (commit === null ? null : shortCommit(commit)),
    UPDATED: (row) => relativeTime(row.updated_at),
  },
  none: 'No apps. `svc templates` and `svc deploy` make one.',
})

const positionals = { app: 'App key' }

const actions = remoteCommand({
  command: 'actions <app>',
  describe: 'List an app’s actions',
  positionals,
  answer: z.looseObject({
    items: z.array(z.looseObject({ key: z.string(), entrypoint: z.string(), tag: z.string() })),
  }),
  request: ({ app }) => ({ path: `/apps/${segment(app)}/actions` }),
  print: ({ items }, { app }) => {
    if (items.length === 0) return printLine(`${app} has no actions.`)
    printTable(
      {
        ACTION: ({ key }) => `${app}/${key}`,
        ENTRYPOINT: ({ entrypoint }) => entrypoint,
        TAG: ({ tag }) => tag,
      },
      items,
    )
  },
})

const history = listCommand({
  command: 'history <app>',
  describe: 'List an app’s deployments, newest first',
  positionals,
  path: ({ app }) => `/apps/${segment(app)}/history`,
  query: { limit: limitOption },
  row: z.looseObject({
    deployment_id: z.string(),
    commit: z.string(),
    message: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
  }),
  columns: {
    DEPLOYMENT: (row) => row.deployment_id,
    COMMIT: ({ commit }) => shortCommit(commit),
    BY: (row) => row.created_by,
    CREATED: (row) => relativeTime(row.created_at),
    MESSAGE: ({ message }) => message,
  },
  none: 'No deployments.',
})

const deployed = z.looseObject({ deployment_id: z.string(), app: z.string(), commit: z.string() })

const redeployUsage: Usage = {
  command: 'redeploy <deployment_id>',
  describe: 'Deploy a previous deployment again',
  positionals: { deployment_id: 'Deployment ID, as in svc apps history' },
  flags: {
    message: textOption('Message to record with the deployment'),
    yes: yesOption,
  },
}

const redeploy: CommandModule = {
  command: redeployUsage.command,
  describe: redeployUsage.describe,
  builder: (yargs) => addUsage(yargs, redeployUsage),
  handler: async (flags) => {
    const client = createClient()
    const path = `/deployments/${segment(flags.deployment_id)}`
    const changes = await client.call(deploymentChanges, `${path}/changes`)
    if (flags.json !== true) printChanges(changes)
    if (flags.yes !== true) await confirmRemoval(changes)
    const json = flags.message === undefined ? {} : { message: String(flags.message) }
    const made = await client.call(deployed, `${path}/redeploy`, { method: 'POST', json })
    const { app, commit, deployment_id: id } = made
    printAnswer(flags, made, () => printLine(`${app} is at ${shortCommit(commit)} again: ${id}`))
  },
}

export const command = commandGroup([list, actions, history, redeploy], (yargs) =>
  yargs
    .option('json', jsonOption)
    .example('$0 apps actions shop', 'List what `svc run` can run')
    .example('$0 apps history shop', ''),
)
