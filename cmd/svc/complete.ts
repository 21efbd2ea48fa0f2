/** Completes commands, names and ids of the configured server, and names of the app in this folder. */
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { readLocalApp } from '#project/app-folder.ts'
import { COMPLETION_SCRIPTS } from './completion-scripts.ts'
import { choicesIn, commandsIn, flagsIn, type ReadHelp } from './help-text.ts'

const listOf = <Item extends z.ZodRawShape>(shape: Item) =>
  z.looseObject({ items: z.array(z.looseObject(shape)) })
const keyed = listOf({ key: z.string() })
const identified = listOf({ id: z.string() })
const keyedInApp = listOf({ app: z.string(), key: z.string() })

type Names = (current: string) => Promise<readonly string[]>

const ids =
  (path: string): Names =>
  async () =>
    (await createClient().call(identified, path)).items.map(({ id }) => id)

const keys =
  (path: string): Names =>
  async () =>
    (await createClient().call(keyed, path)).items.map(({ key }) => key)

/** Keys in the form `app/key`, which commands accept. */
const keysInApps =
  (path: string): Names =>
  async () =>
    (await createClient().call(keyedInApp, path)).items.map(({ app, key }) => `${app}/${key}`)

const apps = keys('/apps?limit=200')

/** Completes the app first, and after the slash its actions. */
const actions: Names = async (current) => {
  const [app = '', ...rest] = current.split('/')
  if (rest.length === 0) return (await apps(current)).map((key) => `${key}/`)
  const ofApp = keys(`/apps/${encodeURIComponent(app)}/actions`)
  return (await ofApp(current)).map((key) => `${app}/${key}`)
}

/** Reads the app in this folder, which needs no server. */
const local =
  (kind: 'actions' | 'flows'): Names =>
  async () =>
    readLocalApp('.').manifest[kind].map(({ key }) => key)

const jobs = ids('/jobs?limit=50')
const flows = keysInApps('/flows?limit=200')
const flowRuns = ids('/flow-runs?limit=50')
const schedules = ids('/schedules?limit=200')
const webhooks = keysInApps('/webhooks?limit=200')
const variables = keys('/variables')
const tokens = ids('/tokens?limit=200')
const deployments = ids('/deployments?limit=50')
const gitSources = ids('/git-sources?limit=200')

/** Name completions by the words before the one that is completed. */
const NAMES: Readonly<Record<string, Names>> = {
  run: actions,
  logs: jobs,
  'jobs show': jobs,
  'jobs steps': jobs,
  'jobs cancel': jobs,
  'jobs replay': jobs,
  'apps actions': apps,
  'apps history': apps,
  'apps redeploy': deployments,
  pull: apps,
  'flows run': flows,
  'flows graph': flows,
  'flows show': flowRuns,
  'flows cancel': flowRuns,
  'schedules create': actions,
  'schedules enable': schedules,
  'schedules disable': schedules,
  'schedules delete': schedules,
  'webhooks deliveries': webhooks,
  'webhooks replay': webhooks,
  'variables set': variables,
  'variables delete': variables,
  'tokens revoke': tokens,
  'git sync': gitSources,
  'git delete': gitSources,
  completion: async () => Object.keys(COMPLETION_SCRIPTS),
  'dev run': local('actions'),
  'dev flow': local('flows'),
}

/**
 * Completes the last word: with names of the server if the command takes one, else with commands and flags. yargs' own
 * completion cannot wait for commands that load when they are used.
 * @param words as shells pass them, from `svc` to the word under the cursor, which may be empty
 * @param readHelp returns the help of the command that its words name
 */
export const complete = async (
  words: readonly string[],
  readHelp: ReadHelp,
): Promise<readonly string[]> => {
  const current = words.at(-1) ?? ''
  const given = words.slice(1, -1)
  const flagAt = given.findIndex((word) => word.startsWith('-'))
  const before = flagAt === -1 ? given : given.slice(0, flagAt)
  const isFlag = current.startsWith('-')
  const last = given.at(-1) ?? ''
  // `--app` is the only flag with a name as its value that many commands share
  const names = last === '--app' ? apps : NAMES[before.join(' ')]
  const find = async (): Promise<readonly string[]> => {
    if (isFlag) return flagsIn(await readHelp(before))
    const isValue = last.startsWith('-') && last !== '--app'
    const choices = isValue ? choicesIn(await readHelp(before), last) : null
    if (choices !== null) return choices
    if (names === undefined) return commandsIn(await readHelp(before), before)
    // without a server there are no suggestions
    return await names(current).catch(() => [])
  }
  const found = await find()
  return found.filter((each) => each.startsWith(current))
}
