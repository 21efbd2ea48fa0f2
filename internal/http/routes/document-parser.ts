/**
 * POST /document-parser/registry
 * GET  /api/schemas/registry-1.5.0.json
 */

import { z as plainZod } from 'zod'
import { invalid } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { PARSER_VERSION, parserResponseSchema } from '#registry/schema/document.ts'
import { admitFile, type ParseDeps, parseRegistryFile } from '#service/parse-registry.ts'
import { readFormFile } from '../multipart.ts'
import { problem, publicRoute, type Route, reply, route } from '../route.ts'
import { z } from '../schemas/z.ts'
import { createUploadBudget } from '../upload-budget.ts'

const MAX_PDF_BYTES = limit(
  'document.pdf',
  50 * 1_048_576,
  'bytes',
  'PDF that is uploaded. More: 413.',
)
/** Of all that are on their way at once. */
const MAX_UPLOADS_BYTES = 256 * 1_048_576
const PARSER_PATH = '/document-parser/registry'

const uploadForm = z.object({
  file: z.string().openapi({ format: 'binary', description: 'The PDF, at most 50 MB' }),
})

const noFile = () =>
  invalid('The form has no file "file": the PDF of a registry certificate.', { code: 'no_file' })

/** Of the parser's own shapes, which the OpenAPI generator would lose in part. */
const { $schema, ...shape } = plainZod.toJSONSchema(parserResponseSchema)
const responseSchema: object = JSON.parse(JSON.stringify(shape))
const parserResponse = z.unknown().openapi('ParserResponse', responseSchema)

export const documentParserRoutes = (deps: ParseDeps): readonly Route[] => {
  const openUpload = createUploadBudget(MAX_UPLOADS_BYTES)
  return [
    route({
      method: 'post',
      path: PARSER_PATH,
      operationId: 'parseRegistry',
      scope: 'api_key',
      tag: 'Document parser',
      summary:
        'Read a property registry certificate (PDF): titles, sections A and B, lists, summary',
      bodyKind: 'stream',
      rawBody: { contentType: 'multipart/form-data', schema: uploadForm },
      responses: {
        200: { description: 'What was read; charged', schema: parserResponse },
        400: problem(
          '`no_file`, `not_a_pdf`, or another kind of certificate: `unsupported_document`',
        ),
        403: problem('`insufficient_balance` or `suspended`'),
        413: problem('More than 50 MB'),
        422: problem(
          '`encrypted_pdf`, `broken_pdf`, `too_complex`, `no_text_layer` or `nothing_recognised`',
        ),
        503: problem('Too many documents at once: `parser_busy`'),
      },
      handler: async ({ principal, requestId, bodyStream, header, signal }) => {
        const { ws, credentialId: apiKeyId } = principal
        if (ws === null) throw new Error('An API key without a workspace.')
        await admitFile(deps, ws)
        const upload = openUpload()
        try {
          const field = { field: 'file', maxBytes: MAX_PDF_BYTES, onBytes: upload.take }
          const parts = await readFormFile({ body: bodyStream, header }, field)
          if (parts === null) throw noFile()
          const call = { ws, apiKeyId, route: PARSER_PATH, requestId, parts, signal }
          return reply(200, await parseRegistryFile(deps, call))
        } finally {
          upload.end()
        }
      },
    }),
    publicRoute({
      method: 'get',
      path: `/api/schemas/registry-${PARSER_VERSION}.json`,
      operationId: 'getRegistrySchema',
      tag: 'Document parser',
      summary: `JSON Schema of the parser's answer, version ${PARSER_VERSION}`,
      responses: { 200: { description: 'JSON Schema 2020-12', schema: z.looseObject({}) } },
      handler: async () => reply(200, { $schema, ...responseSchema }),
    }),
  ]
}
