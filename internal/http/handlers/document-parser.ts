import { AppError, invalid } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { admitFile, type ParseDeps, parseRegistryFile } from '#service/registry/parse-registry.ts'
import { ok } from '../answer.ts'
import { explainTextForFile, readFormFile, type SentFile } from '../bodies/multipart.ts'
import { createUploadBudget } from '../bodies/upload-budget.ts'
import {
  documentParserEndpoints,
  PARSER_PATH,
  parserJsonSchema,
} from '../endpoints/document-parser.ts'
import { handlers } from '../handlers.ts'
import { workspaceOfKey } from '../key-workspace.ts'

const MAX_PDF_BYTES = limit(
  'document.pdf',
  50 * 1_048_576,
  'bytes',
  'PDF that is uploaded. More: 413.',
)
/** The bytes that all current uploads may use together. */
const MAX_UPLOADS_BYTES = 256 * 1_048_576

const noFile = () =>
  invalid('The form has no file "file": the PDF of a registry certificate.', { code: 'no_file' })

/** A field of text cannot be read either. Its sender probably meant the file that it names. */
const explainText =
  ({ isUnnamed }: SentFile) =>
  (error: unknown): never => {
    const isText = isUnnamed && error instanceof AppError && error.code === 'not_a_pdf'
    throw isText ? invalid(explainTextForFile('file'), { code: 'no_file' }) : error
  }

export const documentParserRoutes = handlers(documentParserEndpoints, (deps: ParseDeps) => {
  const openUpload = createUploadBudget(MAX_UPLOADS_BYTES)
  return {
    parseRegistry: async ({ principal, requestId, bodyStream, header, signal, admitLate }) => {
      const { credentialId: apiKeyId } = principal
      const ws = workspaceOfKey(principal)
      await admitFile(deps, ws)
      const upload = openUpload(ws)
      try {
        const field = { field: 'file', maxBytes: MAX_PDF_BYTES, onBytes: upload.take }
        const file = await readFormFile({ body: bodyStream, header }, field)
        if (file === null) throw noFile()
        await admitLate()
        const { parts } = file
        const call = { ws, apiKeyId, route: PARSER_PATH, requestId, parts, signal }
        return ok(await parseRegistryFile(deps, call).catch(explainText(file)))
      } finally {
        upload.end()
      }
    },
    getRegistrySchema: async () => ok(parserJsonSchema),
  }
})
