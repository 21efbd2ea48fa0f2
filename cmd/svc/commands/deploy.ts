/** `svc deploy [functions...]`: the named functions, the changed ones, or all (document 3). */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import type { FunctionSource } from '#bundle/function-files.ts'
import { AppError } from '#core/error.ts'
import { UsageError } from '../exit.ts'
import { readDeployState, recordDeploy, writeDeployState } from '../project/deploy-state.ts'
import { readValid } from '../project/function-folder.ts'
import { loadProject, type Project } from '../project/rc-file.ts'
import { type Client, createClient } from '../remote/client.ts'
import { coloured, printJson, printLine } from '../remote/print.ts'
import { checkCode } from './build.ts'

const answer = z.looseObject({
  deployed: z.array(z.looseObject({ name: z.string(), hash: z.string() })),
  skipped: z.array(z.string()),
})
type Answer = z.infer<typeof answer>

/** Document 3, Errors: what went wrong stands behind the words that it gives. */
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

const toForm = (functions: readonly FunctionSource[]): FormData => {
  const form = new FormData()
  for (const { name, files } of functions) {
    for (const [path, bytes] of files) {
      const place = `functions/${name}/${path}`
      form.append(place, new Blob([new Uint8Array(bytes)]), place)
    }
  }
  return form
}

type Upload = Readonly<{ project: Project; functions: readonly FunctionSource[]; force: boolean }>

const upload = async ({ project, functions, force }: Upload): Promise<Answer> => {
  const client = createClient()
  await ensureApp(client, project)
  const path = `/apps/${project.app}/functions/deploy${force ? '?force=true' : ''}`
  return client.call(answer, path, { method: 'POST', body: toForm(functions) })
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
    const state = readDeployState(project.folder, project.app)
    const read = readValid(project.folder, names)
    const isChanged = ({ name, hash }: FunctionSource): boolean =>
      state.functions[name]?.hash !== hash
    const functions = flags.changed === true ? read.filter(isChanged) : read
    if (functions.length === 0) {
      const why = read.length === 0 ? 'There are no functions here.' : 'Nothing has changed.'
      if (flags.json === true) printJson({ deployed: [], skipped: read.map(({ name }) => name) })
      else printLine(why)
      return
    }
    await checkCode(functions)
    const done = await upload({ project, functions, force: flags.all === true }).catch(
      asDeployFailure,
    )
    const known = functions.map(({ name, hash }) => ({ name, hash }))
    const kept = known.filter(({ name }) => isOn(done, name))
    writeDeployState(project.folder, recordDeploy(state, kept, new Date().toISOString()))
    if (flags.json === true) printJson(done)
    else report(project, done)
  },
}

const isOn = ({ deployed, skipped }: Answer, name: string): boolean =>
  deployed.some((each) => each.name === name) || skipped.includes(name)

const report = ({ app }: Project, { deployed, skipped }: Answer): void => {
  for (const { name, hash } of deployed) {
    printLine(`${coloured('green', '✓')} ${app}/${name}  ${coloured('dim', hash.slice(0, 12))}`)
  }
  if (skipped.length > 0) printLine(`Unchanged: ${skipped.join(', ')}`)
}
