/** `svc deploy [functions...]`: the named functions, the changed ones, or all [functions 15.5]. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import { type Client, createClient } from '#cli-client/client.ts'
import { AppError } from '#core/error.ts'
import { readDeployState, recordDeploy, writeDeployState } from '#project/deploy-state.ts'
import { listFunctionNames, readValid } from '#project/function-folder.ts'
import { loadProject, type Project } from '#project/rc-file.ts'
import { UsageError } from '../exit.ts'
import { coloured, printJson, printLine } from '../print.ts'
import { checkCode } from './build.ts'

const answer = z.looseObject({
  deployed: z.array(z.looseObject({ name: z.string(), hash: z.string() })),
  skipped: z.array(z.string()),
})
type Answer = z.infer<typeof answer>

/** The reference fixes the first words of the message; the cause follows them. */
const asDeployFailure = (error: unknown): never => {
  if (!(error instanceof AppError)) throw error
  throw new AppError(error.kind, `Deploy failed: ${error.message}`, {
    code: error.code,
    cause: error,
  })
}

const ensureApp = async (client: Client, { app, name }: Project): Promise<void> => {
  try {
    await client.call(z.unknown(), `/apps/${app}`)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error
    await client.call(z.unknown(), '/apps', { method: 'POST', json: { key: app, name } })
    process.stderr.write(`Made the app ${app}.\n`)
  }
}

const toForm = (functions: readonly BundledFunction[]): FormData => {
  const files = new Map<string, Uint8Array>()
  for (const { source, shared } of functions) {
    for (const [path, bytes] of source.files) files.set(`functions/${source.name}/${path}`, bytes)
    for (const [path, bytes] of shared) files.set(path, bytes)
  }
  const form = new FormData()
  for (const [path, bytes] of files) form.append(path, new Blob([new Uint8Array(bytes)]), path)
  return form
}

const onServer = z.looseObject({ items: z.array(z.looseObject({ name: z.string() })) })

type Upload = Readonly<{ project: Project; functions: readonly BundledFunction[]; force: boolean }>

/** What was on the server before, by name, and what has come of it. */
type Uploaded = Readonly<{ before: ReadonlySet<string>; answer: Answer }>

const upload = async ({ project, functions, force }: Upload): Promise<Uploaded> => {
  const client = createClient()
  await ensureApp(client, project)
  const { items } = await client.call(onServer, `/apps/${project.app}/functions`)
  const path = `/apps/${project.app}/functions/deploy${force ? '?force=true' : ''}`
  return {
    before: new Set(items.map(({ name }) => name)),
    answer: await client.call(answer, path, { method: 'POST', body: toForm(functions) }),
  }
}

export const deployCommand: CommandModule = {
  command: 'deploy [functions...]',
  describe: 'Deploy functions: the named ones, else all',
  builder: (yargs) =>
    yargs
      .positional('functions', { type: 'string', array: true, describe: 'Their names' })
      .option('all', { type: 'boolean', default: false, describe: 'Also what has not changed' })
      .option('changed', {
        type: 'boolean',
        default: false,
        describe: 'Only what has changed since it was deployed from here',
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 deploy --changed', ''),
  handler: async (flags) => {
    const names = Array.isArray(flags.functions) ? flags.functions.map(String) : []
    if (flags.all === true && (flags.changed === true || names.length > 0)) {
      throw new UsageError('--all goes neither with --changed nor with names.')
    }
    const project = loadProject()
    const state = readDeployState(project)
    const read = await checkCode(project.folder, readValid(project.folder, names))
    const isChanged = ({ source: { name, hash } }: BundledFunction): boolean =>
      state.functions[name]?.hash !== hash
    const functions = flags.changed === true ? read.filter(isChanged) : read
    if (functions.length === 0) {
      const why = read.length === 0 ? 'There are no functions here.' : 'Nothing has changed.'
      if (flags.json === true)
        printJson({ deployed: [], skipped: read.map(({ source }) => source.name) })
      else printLine(why)
      return
    }
    const { before, answer: done } = await upload({
      project,
      functions,
      force: flags.all === true,
    }).catch(asDeployFailure)
    const known = functions.map(({ source: { name, hash } }) => ({ name, hash }))
    const kept = known.filter(({ name }) => isOn(done, name))
    writeDeployState(project, recordDeploy(state, kept, new Date().toISOString()))
    if (flags.json === true) printJson(done)
    else report(project, done, before)
  },
}

const isOn = ({ deployed, skipped }: Answer, name: string): boolean =>
  deployed.some((each) => each.name === name) || skipped.includes(name)

const report = (
  { app, folder }: Project,
  { deployed, skipped }: Answer,
  before: ReadonlySet<string>,
): void => {
  for (const { name, hash } of deployed) {
    const how = before.has(name) ? 'changed' : 'added'
    const mark = coloured('green', '✓')
    printLine(`${mark} ${app}/${name}  ${how}  ${coloured('dim', hash.slice(0, 12))}`)
  }
  if (skipped.length > 0) printLine(`Unchanged: ${skipped.join(', ')}`)
  const here = new Set(listFunctionNames(folder))
  const elsewhere = [...before].filter((name) => !here.has(name))
  if (elsewhere.length > 0)
    printLine(`On the server only, left as they are: ${elsewhere.join(', ')}`)
}
