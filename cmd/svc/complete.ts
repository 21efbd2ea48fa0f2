/** Completion of commands, of names and ids of the server in use, and of the app in this folder. */
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { readLocalApp } from '#project/app-folder.ts'

export const FISH_COMPLETION = `# svc completion fish > ~/.config/fish/completions/svc.fish
complete -c svc -f -a '(svc --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null)'
`

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

/** `app/key`, as commands take it. */
const keysInApps =
  (path: string): Names =>
  async () =>
    (await createClient().call(keyedInApp, path)).items.map(({ app, key }) => `${app}/${key}`)

const apps = keys('/apps?limit=200')

/** Apps first; behind the slash the actions of the app. */
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
const variables = keys('/variables?limit=200')
const tokens = ids('/tokens?limit=200')
const deployments = ids('/deployments?limit=50')
const gitSources = ids('/git-sources?limit=200')

/** By the words in front of the one that is completed. */
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
  'dev run': local('actions'),
  'dev flow': local('flows'),
}

type Done = (completions: string[]) => void
type Defaults = () => void

export type Complete = (
  current: string,
  argv: Readonly<{ _: readonly (string | number)[]; app?: unknown }>,
  defaults: Defaults,
  done: Done,
) => void

/** As yargs calls it: names of the server where the command takes one, else commands and flags. */
export const complete: Complete = (current, argv, defaults, done) => {
  const words = argv._.map(String).filter((word) => word !== 'svc')
  const before = words.at(-1) === current ? words.slice(0, -1) : words
  // `--app` is the one flag of many commands that takes a name
  const names = argv.app === current ? apps : NAMES[before.join(' ')]
  if (names === undefined || current.startsWith('-')) {
    defaults()
    return
  }
  names(current).then(
    (found) => done(found.filter((name) => name.startsWith(current))),
    // without a server there is nothing to offer
    () => done([]),
  )
}
