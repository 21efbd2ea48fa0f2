/** `svc git`, `svc git add <url>`, `svc git sync <id>`, `svc git delete <id>`. */
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { commandGroup } from '../command.ts'
import { printLine } from '../print.ts'
import { deleteCommand, listCommand, remoteCommand, segment } from '../remote-command.ts'

const COMMIT_LENGTH = 12

const source = z.looseObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  branch: z.string().nullable(),
  last_commit: z.string().nullable(),
  last_error: z.string().nullable(),
})

const list = listCommand({
  command: '$0',
  describe: 'List git sources',
  path: '/git-sources',
  isWhole: true,
  row: source,
  columns: {
    ID: ({ id }) => id,
    SOURCE: ({ name }) => name,
    BRANCH: ({ branch }) => branch,
    COMMIT: (row) =>
      row.last_error === null
        ? (row.last_commit?.slice(0, COMMIT_LENGTH) ?? null)
        : `failed: ${row.last_error}`,
    URL: ({ url }) => url,
  },
  none: 'No git sources. `svc git add <url>` adds one.',
})

const option = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const

const nameOf = (url: string): string =>
  url
    .replace(/\/+$/, '')
    .split(/[/:]/)
    .at(-1)
    ?.replace(/\.git$/, '') ?? url

const add = remoteCommand({
  command: 'add <url>',
  describe: 'Deploy the apps of a repository, now and with --every again and again',
  positionals: { url: 'Of the repository, https or ssh' },
  flags: {
    name: option('For people. Default the name of the repository'),
    branch: option('Default that of the repository'),
    path: option('The folder in which apps are looked for'),
    every: { type: 'number', requiresArg: true, describe: 'Seconds between two looks, 10 or more' },
    'token-stdin': {
      type: 'boolean',
      default: false,
      describe: 'Read an access token from standard input',
    },
  },
  examples: [['$0 git add https://github.com/acme/jobs.git --branch main --every 60', '']],
  answer: source,
  request: async (flags) => {
    const { branch, path, every } = flags
    const url = String(flags.url)
    return {
      path: '/git-sources',
      method: 'POST',
      json: {
        name: flags.name === undefined ? nameOf(url) : String(flags.name),
        url,
        ...(branch === undefined ? {} : { branch }),
        ...(path === undefined ? {} : { path }),
        ...(every === undefined ? {} : { auto_sync_s: every }),
        ...(flags['token-stdin'] === true
          ? { auth: { type: 'token', token: (await text(process.stdin)).trim() } }
          : {}),
      },
    }
  },
  print: ({ id, name }) => printLine(`${id}  ${name}. \`svc git sync ${id}\` deploys it.`),
})

const sync = remoteCommand({
  command: 'sync <id>',
  describe: 'Fetch the branch and deploy its apps',
  positionals: { id: 'Of the git source' },
  answer: z.looseObject({
    deployments: z.array(z.looseObject({ app: z.string(), deployment_id: z.string() })),
  }),
  request: ({ id }) => ({ path: `/git-sources/${segment(id)}/sync`, method: 'POST' }),
  print: ({ deployments }) => {
    for (const each of deployments) printLine(`${each.app}  ${each.deployment_id}`)
  },
})

export const command = commandGroup(
  [
    list,
    add,
    sync,
    deleteCommand({ noun: 'git source', argument: 'id', pathOf: (id) => `/git-sources/${id}` }),
  ],
  (yargs) => yargs.example('$0 git add https://github.com/acme/jobs.git', ''),
)
