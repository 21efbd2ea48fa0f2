/** `svc git`, `svc git add <url>`, `svc git sync <id>`, `svc git delete <id>`. */
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Client } from '#cli-client/client.ts'
import { listAll, MAX_ROWS } from '#cli-client/list-all.ts'
import { shortCommit } from '#core/deploy/short-commit.ts'
import { AppError, conflict } from '#core/error.ts'
import { commandGroup } from '../command.ts'
import { parseArguments, textOption, wholeArgument } from '../command-arguments.ts'
import { printLine } from '../print.ts'
import { deleteCommand, listCommand, remoteCommand, segment } from '../remote-command.ts'

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
    URL: ({ url }) => url,
    COMMIT: ({ last_commit: commit, last_error: error }) => {
      if (error !== null) return `failed: ${error}`
      return commit === null ? null : shortCommit(commit)
    },
  },
  none: 'No git sources. `svc git add <url>` adds one.',
})

const nameOf = (url: string): string =>
  url
    .replace(/\/+$/, '')
    .split(/[/:]/)
    .at(-1)
    ?.replace(/\.git$/, '') ?? url

const deployments = z.looseObject({
  deployments: z.array(z.looseObject({ app: z.string(), deployment_id: z.string() })),
})
type Deployments = z.infer<typeof deployments>
const added = source.and(deployments)

const syncOf = (id: unknown) =>
  ({ path: `/git-sources/${segment(id)}/sync`, method: 'POST' }) as const

const printDeployments = ({ deployments: all }: Deployments): void => {
  for (const each of all) printLine(`${each.app}  ${each.deployment_id}`)
}

type Source = z.infer<typeof source>

const notDeployed = (cause: AppError, { id, name }: Source): AppError =>
  new AppError(
    cause.kind,
    `${cause.message}\nThe source ${name} was added. To deploy it later: svc git sync ${id}\nTo delete it: svc git delete ${id}`,
    { cause, code: cause.code },
  )

/** Syncs a source that has just been added. The source stays if that fails. */
const syncNew = async (client: Client, made: Source): Promise<Deployments> => {
  const { path, ...options } = syncOf(made.id)
  try {
    return await client.call(deployments, path, options)
  } catch (error) {
    throw error instanceof AppError ? notDeployed(error, made) : error
  }
}

const place = z.object({
  url: z.string().transform((url) => url.replace(/\/+$/, '')),
  branch: z.string().nullable().default(null),
  path: z
    .string()
    .default('')
    .transform((path) => path.replace(/^\.?\/+|\/+$/g, '')),
})
/** Two sources of one place would deploy the same apps, and an app has only one source. */
const placeOf = (fields: unknown): string => JSON.stringify(place.parse(fields))

const sources = z.looseObject({ items: z.array(source) })

/** @throws {AppError} conflict `source_exists` */
const refuseRepeat = async (client: Client, wanted: unknown): Promise<void> => {
  // a token may have the scope to add sources only
  if (!(await client.holds('git_sources:read'))) return
  const pages = await listAll(client, sources, `/git-sources?limit=${MAX_ROWS}`)
  const same = pages.flatMap(({ items }) => items).find((each) => placeOf(each) === placeOf(wanted))
  if (same === undefined) return
  throw conflict(
    `The source ${same.name} has this repository already. To deploy it again: svc git sync ${same.id}\nTo add it with other options, delete it first: svc git delete ${same.id}`,
    { code: 'source_exists' },
  )
}

const MAX_EVERY_S = 86_400
const addArguments = z.looseObject({
  every: wholeArgument('every', 10, MAX_EVERY_S).optional(),
  branch: z.string().optional(),
  path: z.string().optional(),
})

const add = remoteCommand({
  command: 'add <url>',
  describe: 'Add a repository and deploy its apps',
  positionals: { url: 'Repository URL: https or ssh' },
  flags: {
    name: textOption('Name of the source (default: the name of the repository)'),
    branch: textOption('Branch (default: the default branch of the repository)'),
    path: textOption('Folder to search for apps'),
    every: {
      type: 'number',
      requiresArg: true,
      describe: 'Seconds between automatic syncs, 10 to 86400',
    },
    'token-stdin': {
      type: 'boolean',
      default: false,
      describe: 'Read an access token from standard input',
    },
  },
  examples: [['$0 git add https://github.com/acme/jobs.git --branch main --every 60', '']],
  answer: added,
  send: async (client, { path, ...options }) => {
    await refuseRepeat(client, options.json)
    const made = await client.call(source, path, options)
    return { ...made, ...(await syncNew(client, made)) }
  },
  request: async (flags) => {
    const { branch, path, every } = parseArguments(addArguments, flags)
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
  print: (found) => {
    printLine(`Added ${found.name}: ${found.id}`)
    printDeployments(found)
  },
})

const sync = remoteCommand({
  command: 'sync <id>',
  describe: 'Fetch the branch and deploy its apps',
  positionals: { id: 'Git source ID' },
  answer: deployments,
  request: ({ id }) => syncOf(id),
  print: printDeployments,
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
