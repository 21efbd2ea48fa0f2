import { AppError, invalid, notFound, unprocessable } from '#core/error.ts'
import type { JsonText } from '#core/json/text.ts'
import { requireApp } from '#service/apps/require-app.ts'
import type { Deps } from '#service/deps.ts'
import {
  deployFunctions,
  MAX_UPLOADED,
  type UploadedFile,
} from '#service/functions/deploy-functions.ts'
import { ownFilesJson, readFunctionFiles } from '#service/functions/function-files.ts'
import { listFunctionCalls } from '#store/apps/function-calls.ts'
import { type FunctionFiles, listFunctionHashes, listFunctions } from '#store/apps/functions.ts'
import { ok } from '../answer.ts'
import { readFormPieces } from '../bodies/form-pieces.ts'
import { explainTextForFile, isMultipart } from '../bodies/multipart.ts'
import { functionEndpoints } from '../endpoints/functions.ts'
import { handlers } from '../handlers.ts'
import type { RequestFacts } from '../request.ts'
import { pageBefore, pageOfShortList, paginate } from '../schemas/page.ts'

const toFunction = (row: FunctionFiles, files: JsonText, baseUrl: string) => ({
  ...row.definition,
  ...row,
  url: `${baseUrl}/fn/${row.ws}/${row.app}/${row.name}`,
  files,
})

/** @throws {AppError} invalid; unprocessable: more files than an app may have */
async function* readPieces(bytes: Uint8Array<ArrayBuffer>, type: string) {
  try {
    yield* readFormPieces(bytes, type, MAX_UPLOADED)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw invalid('The multipart body is broken.', { cause })
    throw unprocessable(cause.message, { code: 'bad_bundle', cause })
  }
}

/** Files by path: the name of the form's part if it is a path, else its file name. @throws {AppError} */
const readUpload = async ({
  bodyBytes,
  header,
}: RequestFacts): Promise<readonly UploadedFile[]> => {
  const type = header('content-type') ?? ''
  if (!isMultipart(type)) {
    throw new AppError(
      'unsupported_media_type',
      'Send multipart/form-data with a file for each of the functions’ files, named by its path.',
    )
  }
  const files: UploadedFile[] = []
  for await (const piece of readPieces(bodyBytes, type)) {
    for (const [name, value] of piece) {
      if (typeof value === 'string') throw invalid(explainTextForFile(name), { code: 'not_a_file' })
      const path = name.startsWith('functions/') ? name : value.name
      files.push({ path, bytes: value.bytes })
    }
  }
  return files
}

type FunctionDeps = Pick<
  Deps,
  'db' | 'reads' | 'newId' | 'keyring' | 'limits' | 'manifests' | 'fetchPackages' | 'storage'
>

export const functionRoutes = handlers(functionEndpoints, (deps: FunctionDeps) => ({
  listAppFunctions: async ({ ws, params, query, baseUrl }) => {
    await requireApp(deps, ws, params.app)
    const rows = await listFunctions(deps.db, ws, params.app)
    const { items, pagination } = pageOfShortList(rows, query, ({ name }) => name)
    const shown: ReturnType<typeof toFunction>[] = []
    for await (const some of readFunctionFiles(deps, { ws, app: params.app }, items)) {
      for (const each of some) {
        shown.push(toFunction(each, await ownFilesJson(deps, each), baseUrl()))
      }
    }
    return ok({ items: shown, pagination })
  },
  deployFunctions: async (input) => {
    const { ws, params, query, actor, admitLate } = input
    const { force } = query
    const files = await readUpload(input)
    return ok(await deployFunctions(deps, { ws, app: params.app, actor, admitLate, files, force }))
  },
  listFunctionCalls: async ({ ws, params: { app, name }, query }) => {
    const known = await listFunctionHashes(deps.db, ws, app)
    if (!known.has(name)) throw notFound(`Function "${name}" of app "${app}"`)
    const rows = await listFunctionCalls(deps.reads, { ws, app, name }, pageBefore(query))
    return ok(paginate(rows, query.limit, ({ id }) => id))
  },
}))
