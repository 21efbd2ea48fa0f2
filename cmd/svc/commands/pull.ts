/** `svc pull [app]`: an app's functions to disk, with `.svcrc` and the state of their deployment. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { pathFault } from '#bundle/app-files.ts'
import { type Client, createClient } from '#cli-client/client.ts'
import { AppError, notFound } from '#core/error.ts'
import { FUNCTION_NAME } from '#core/function/definition.ts'
import { readDeployState, writeDeployState } from '#project/deploy-state.ts'
import { functionPath, readOne, writeFunction } from '#project/function-folder.ts'
import { rcPath, writeRcFile } from '#project/rc-file.ts'
import { printJson, printLine } from '../print.ts'

const apps = z.looseObject({ items: z.array(z.looseObject({ key: z.string(), name: z.string() })) })
const functions = z.looseObject({
  items: z.array(
    z.looseObject({
      name: z.string().regex(FUNCTION_NAME),
      hash: z.string(),
      deployed_at: z.string(),
      files: z.record(
        z.string().refine((path) => pathFault(path) === null),
        z.base64(),
      ),
    }),
  ),
})
type Pulled = z.infer<typeof functions>['items'][number]

/** @throws {AppError} not_found */
const chooseApp = async (client: Client, wanted: string | undefined) => {
  const { items } = await client.call(apps, '/apps?limit=500')
  const found =
    wanted === undefined
      ? items[0]
      : items.find(({ key, name }) => key === wanted || name === wanted)
  if (found !== undefined) return found
  if (wanted === undefined) {
    throw new AppError('not_found', 'There is no app on this server yet. `svc deploy` makes one.')
  }
  const there = items.map(({ key }) => key).join(', ')
  throw notFound(`App "${wanted}" (there is ${there === '' ? 'none' : there})`)
}

const filesOf = ({ files }: Pulled): ReadonlyMap<string, Uint8Array> =>
  new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      new Uint8Array(Buffer.from(text, 'base64')),
    ]),
  )

/** Files with local changes that would be overwritten. */
const findConflicts = (
  folder: string,
  known: Readonly<Record<string, Readonly<{ hash: string }>>>,
  pulled: readonly Pulled[],
): readonly string[] =>
  pulled.flatMap((each) => {
    if (!existsSync(functionPath(folder, each.name))) return []
    const { source } = readOne(folder, each.name)
    const isOurs = source !== null && source.hash !== each.hash
    if (!isOurs || source.hash === known[each.name]?.hash) return []
    return [...filesOf(each)]
      .map(([path, bytes]) => ({ path: join(functionPath(folder, each.name), path), bytes }))
      .filter(({ path, bytes }) => existsSync(path) && !readFileSync(path).equals(bytes))
      .map(({ path }) => path)
  })

export const pullCommand: CommandModule = {
  command: 'pull [app]',
  describe: 'Download an app’s functions',
  builder: (yargs) =>
    yargs
      .positional('app', { type: 'string', describe: 'Its key or name. Default: the first one' })
      .option('dir', { type: 'string', default: '.', requiresArg: true, describe: 'Where to' })
      .option('force', {
        type: 'boolean',
        default: false,
        describe: 'Write over what was changed here',
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 pull hello --dir hello', ''),
  handler: async (flags) => {
    const client = createClient()
    const app = await chooseApp(client, flags.app === undefined ? undefined : String(flags.app))
    const { items } = await client.call(functions, `/apps/${app.key}/functions`)
    const folder = resolve(String(flags.dir))
    const place = { folder, rc: rcPath(folder) }
    const before = readDeployState({ ...place, app: app.key })
    const conflicts = flags.force === true ? [] : findConflicts(folder, before.functions, items)
    if (conflicts.length > 0) {
      throw new AppError(
        'conflict',
        `These were changed here and would be lost:\n${conflicts.map((path) => `  ${path}`).join('\n')}\nKeep a copy, or run it with --force.`,
      )
    }
    mkdirSync(join(folder, 'functions'), { recursive: true })
    for (const each of items) writeFunction(folder, each.name, filesOf(each))
    const rc = writeRcFile(folder, { id: app.key, name: app.name })
    const state = items.map(
      ({ name, hash, deployed_at }) => [name, { hash, deployedAt: deployed_at }] as const,
    )
    const lastDeploy =
      items
        .map(({ deployed_at }) => deployed_at)
        .toSorted()
        .at(-1) ?? null
    writeDeployState(place, {
      version: '1.0',
      appId: app.key,
      lastDeploy,
      functions: Object.fromEntries(state),
    })
    const names = items.map(({ name }) => name)
    if (flags.json === true) {
      printJson({ app: app.key, folder, functions: names })
      return
    }
    const what = names.length === 0 ? 'no functions yet' : names.join(', ')
    printLine(`Pulled ${app.key} into ${folder}: ${what}.`)
    printLine(`${rc} names the app. Next: svc dev, or svc templates.`)
  },
}
