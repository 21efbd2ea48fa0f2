import { MAX_DEPLOY_MESSAGE } from '#core/deploy/limits.ts'
import { AppError, invalid, notFound } from '#core/error.ts'
import { compareDeployment } from '#service/deploy/compare-deployment.ts'
import { deployArchive, planArchive } from '#service/deploy/deploy-archive.ts'
import { readDeployments } from '#service/deploy/list-deployments.ts'
import { redeployApp } from '#service/deploy/redeploy-app.ts'
import type { Deps } from '#service/deps.ts'
import { findDeployment, findDeploymentContent } from '#store/apps/deployments.ts'
import { findDeploymentFile, listDeploymentFiles } from '#store/apps/source-files.ts'
import { created, ok } from '../answer.ts'
import { type FormEntry, readFormPieces } from '../bodies/form-pieces.ts'
import { explainTextForFile, isMultipart, unknownFormFields } from '../bodies/multipart.ts'
import { deploymentEndpoints } from '../endpoints/deployments.ts'
import { handlers } from '../handlers.ts'
import type { RequestFacts } from '../request.ts'
import { responseWithBytes } from '../respond.ts'
import { pageBefore, paginate } from '../schemas/page.ts'
import { toDeployment } from '../views/apps.ts'

/** Headers that keep browsers from showing an author's file as a page of svc's own origin. */
const RAW = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=31536000, immutable',
  // a browser keeps it after its person has signed out, and another one may sign in
  vary: 'authorization, cookie',
}

type Form = ReadonlyMap<string, FormEntry[1]>

type Upload = Readonly<{ bundle: Uint8Array; message: string | null }>

/** @throws {AppError} unsupported_media_type, invalid */
const readUpload = async ({ bodyBytes, header }: RequestFacts): Promise<Upload> => {
  const type = header('content-type') ?? ''
  if (!isMultipart(type)) {
    throw new AppError(
      'unsupported_media_type',
      'Send multipart/form-data with a file "bundle": the tar.gz of the app folder.',
    )
  }
  const form = await parseForm(bodyBytes, type)
  const bundle = form.get('bundle')
  const message = form.get('message') ?? null
  if (typeof bundle === 'string') throw invalid(explainTextForFile('bundle'), { code: 'no_bundle' })
  if (bundle === undefined) {
    throw invalid('The form has no file "bundle": the tar.gz of the app folder.', {
      code: 'no_bundle',
    })
  }
  if (message !== null && (typeof message !== 'string' || message.length > MAX_DEPLOY_MESSAGE)) {
    throw invalid(`"message" is a text of at most ${MAX_DEPLOY_MESSAGE} characters.`)
  }
  refuseOtherFields(form, ['bundle', 'message'])
  return { bundle: bundle.bytes, message }
}

/** @throws {AppError} invalid `unknown_field` */
const refuseOtherFields = (form: Form, known: readonly string[]): void => {
  const unknown = new Set([...form.keys()].filter((name) => !known.includes(name)))
  if (unknown.size > 0) throw unknownFormFields(unknown)
}

/** Enough for the bundle, its message, and some unknown parts, which the error names. */
const MAX_PARTS = 100

/** The first value of each name. */
const parseForm = async (bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Form> => {
  const form = new Map<string, FormEntry[1]>()
  try {
    for await (const piece of readFormPieces(bytes, type, MAX_PARTS)) {
      for (const [name, value] of piece) if (!form.has(name)) form.set(name, value)
    }
    return form
  } catch (cause) {
    throw invalid('The multipart body is broken.', { code: 'no_bundle', cause })
  }
}

/** @throws {AppError} not_found */
const requireDeployment = async ({ db }: Pick<Deps, 'db'>, ws: string, id: string) => {
  const row = await findDeployment(db, ws, id)
  if (row === null) throw notFound('Deployment', { code: 'deployment_not_found' })
  return row
}

export const deploymentRoutes = handlers(
  deploymentEndpoints,
  (
    deps: Pick<
      Deps,
      'db' | 'newId' | 'limits' | 'keyring' | 'manifests' | 'fetchPackages' | 'storage'
    >,
  ) => ({
    listDeployments: async ({ ws, query }) => {
      const filter = { app: query.app ?? null, ...pageBefore(query) }
      const rows = await readDeployments(deps, ws, filter)
      return ok(paginate(rows.map(toDeployment), query.limit, ({ id }) => id))
    },
    createDeployment: async (input) => {
      const { bundle, message } = await readUpload(input)
      const { ws, actor, admitLate } = input
      return created(await deployArchive(deps, { ws, archive: bundle, message, actor, admitLate }))
    },
    planDeployment: async (input) => {
      const { bundle } = await readUpload(input)
      return ok(await planArchive(deps, { ws: input.ws, archive: bundle }))
    },
    getDeployment: async ({ ws, params }) => {
      const row = await requireDeployment(deps, ws, params.id)
      const content = await findDeploymentContent(deps.db, row.id)
      return ok({
        ...toDeployment(row),
        manifest: JSON.parse(content.manifestJson),
        // an app with only flows has no entry point
        code: Object.fromEntries(
          [...content.bundleHashes].filter(([entrypoint]) => entrypoint !== ''),
        ),
      })
    },
    compareDeployment: async ({ ws, params }) => ok(await compareDeployment(deps, ws, params.id)),
    listDeploymentFiles: async ({ ws, params }) => {
      const { id } = await requireDeployment(deps, ws, params.id)
      return ok({ items: await listDeploymentFiles(deps.db, id) })
    },
    getDeploymentFile: async ({ ws, params }) => {
      const { id } = await requireDeployment(deps, ws, params.id)
      const bytes = await findDeploymentFile(deps.db, id, params.path)
      if (bytes === null) throw notFound('File', { code: 'file_not_found' })
      return responseWithBytes(new Uint8Array(bytes), RAW)
    },
    redeploy: async ({ ws, params, body, actor }) => {
      const message = body?.message ?? null
      return created(await redeployApp(deps, { ws, id: params.id, message, actor }))
    },
  }),
)
