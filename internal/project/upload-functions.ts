/** Sends the functions of a folder to a server, which deploys those that differ from its own. */
import { z } from 'zod'
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import { type Client, createClient } from '#cli-client/client.ts'
import { AppError, invalid } from '#core/error.ts'
import { APP_KEY } from '#core/key-patterns.ts'
import type { Project } from './rc-file.ts'

const answer = z.looseObject({
  deployed: z.array(z.looseObject({ name: z.string(), hash: z.string() })),
  skipped: z.array(z.string()),
})
export type DeployAnswer = z.infer<typeof answer>

/** The reference defines how the message begins; the cause follows. */
export const asDeployFailure = (error: unknown): never => {
  if (!(error instanceof AppError)) throw error
  throw new AppError(error.kind, `Deploy failed: ${error.message}`, {
    code: error.code,
    cause: error,
  })
}

/** `svc dev` takes any id, but a server takes it as a key. */
const checkKey = ({ app, rc }: Project): void => {
  if (APP_KEY.test(app)) return
  throw invalid(
    `${rc}: application.id is "${app}", which cannot be the key of an app. Use 1 to 63 characters a-z, 0-9 and -, beginning with a letter or digit.`,
  )
}

const ensureApp = async (
  client: Client,
  { app, name }: Project,
  onMade: () => void,
): Promise<void> => {
  try {
    await client.call(z.unknown(), `/apps/${app}`)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error
    await client.call(z.unknown(), '/apps', { method: 'POST', json: { key: app, name } })
    onMade()
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

const onServer = z.looseObject({
  items: z.array(z.looseObject({ name: z.string(), hash: z.string() })),
})

type Upload = Readonly<{ project: Project; functions: readonly BundledFunction[]; force: boolean }>

/** The hashes by name that were on the server before, and the result of the deployment. */
type Uploaded = Readonly<{ before: ReadonlyMap<string, string>; answer: DeployAnswer }>

const upload = async (
  { project, functions, force }: Upload,
  onAppMade: () => void,
): Promise<Uploaded> => {
  checkKey(project)
  const client = createClient()
  await ensureApp(client, project, onAppMade)
  const { items } = await client.call(onServer, `/apps/${project.app}/functions`)
  const path = `/apps/${project.app}/functions/deploy${force ? '?force=true' : ''}`
  return {
    before: new Map(items.map(({ name, hash }) => [name, hash])),
    answer: await client.call(answer, path, { method: 'POST', body: toForm(functions) }),
  }
}

/**
 * @param onAppMade called if the server had no app with this key
 * @throws {AppError} the server refused, or was not reached
 */
export const uploadFunctions = (wanted: Upload, onAppMade: () => void): Promise<Uploaded> =>
  upload(wanted, onAppMade).catch(asDeployFailure)
