/** Completion of commands, and of apps, actions, flows and jobs of the server in use. */
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'

export const FISH_COMPLETION = `# svc completion fish > ~/.config/fish/completions/svc.fish
complete -c svc -f -a '(svc --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null)'
`

const keyed = z.looseObject({ items: z.array(z.looseObject({ key: z.string() })) })
const withIds = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) })
const flows = z.looseObject({
  items: z.array(z.looseObject({ app: z.string(), key: z.string() })),
})

const apps = async (suffix = ''): Promise<readonly string[]> =>
  (await createClient().call(keyed, '/apps?limit=200')).items.map(({ key }) => `${key}${suffix}`)

/** Apps first; behind the slash the actions of the app. */
const actions = async (current: string): Promise<readonly string[]> => {
  const [app = '', ...rest] = current.split('/')
  if (rest.length === 0) return apps('/')
  const { items } = await createClient().call(keyed, `/apps/${encodeURIComponent(app)}/actions`)
  return items.map(({ key }) => `${app}/${key}`)
}

const allFlows = async (): Promise<readonly string[]> =>
  (await createClient().call(flows, '/flows?limit=200')).items.map(
    ({ app, key }) => `${app}/${key}`,
  )

const jobs = async (): Promise<readonly string[]> =>
  (await createClient().call(withIds, '/jobs?limit=50')).items.map(({ id }) => id)

type Names = (current: string) => Promise<readonly string[]>

/** By the words in front of the one that is completed. */
const NAMES: Readonly<Record<string, Names>> = {
  run: actions,
  logs: jobs,
  'jobs show': jobs,
  'jobs steps': jobs,
  'jobs cancel': jobs,
  'jobs replay': jobs,
  'apps actions': () => apps(),
  'apps history': () => apps(),
  pull: () => apps(),
  'flows run': allFlows,
  'flows graph': allFlows,
  'schedules create': actions,
}

type Done = (completions: string[]) => void
type Defaults = () => void

export type Complete = (
  current: string,
  argv: Readonly<{ _: readonly (string | number)[] }>,
  defaults: Defaults,
  done: Done,
) => void

/** As yargs calls it: names of the server where the command takes one, else commands and flags. */
export const complete: Complete = (current, argv, defaults, done) => {
  const words = argv._.map(String).filter((word) => word !== 'svc')
  const before = words.at(-1) === current ? words.slice(0, -1) : words
  const names = NAMES[before.join(' ')]
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
