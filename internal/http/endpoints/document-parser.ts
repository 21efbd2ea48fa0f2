import { z as plainZod } from 'zod'
import {
  PARSER_VERSION,
  type ParserResponse,
  parserResponseSchema,
} from '#registry/schema/document.ts'
import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { z } from '../schemas/z.ts'

export const PARSER_PATH = '/document-parser/registry'

const uploadForm = z.object({
  file: z.string().openapi({ format: 'binary', description: 'The PDF, at most 50 MB' }),
})

/** Made from the parser's own schema, because the OpenAPI generator would lose parts of it. */
const { $schema, ...shape } = plainZod.toJSONSchema(parserResponseSchema)

const responseSchema: object = JSON.parse(JSON.stringify(shape))

/** The JSON Schema of the parser's response. */
export const parserJsonSchema: Readonly<Record<string, unknown>> = { $schema, ...responseSchema }

/** The parser's own schema validates the response. Its names are those of the wire already, so it is written unchanged. */
const parserResponse = z
  .custom<ParserResponse>((value) => parserResponseSchema.safeParse(value).success)
  .openapi('ParserResponse', responseSchema)

export const documentParserEndpoints = {
  parseRegistry: endpoint({
    method: 'post',
    path: PARSER_PATH,
    admits: ['api_key'],
    tag: 'Document parser',
    summary: 'Read a property registry certificate (PDF): titles, sections A and B, lists, summary',
    bodyKind: 'stream',
    rawBody: { contentType: 'multipart/form-data', schema: uploadForm },
    answers: {
      200: json('What was read; charged', parserResponse),
      400: problem(
        '`no_file`, `unknown_field`, `not_a_pdf`, or another kind of certificate: `unsupported_document`',
      ),
      403: problem('`insufficient_balance` or `suspended`'),
      413: problem('More than 50 MB'),
      422: problem(
        '`encrypted_pdf`, `broken_pdf`, `too_complex`, `low_resolution`, `in_pieces`, `no_text_layer` or `nothing_recognised`',
      ),
      503: problem('Too many documents at once: `parser_busy`'),
    },
  }),
  getRegistrySchema: endpoint({
    method: 'get',
    path: `/api/schemas/registry-${PARSER_VERSION}.json`,
    admits: ['public'],
    tag: 'Document parser',
    summary: `JSON Schema of the parser's answer, version ${PARSER_VERSION}`,
    answers: { 200: json('JSON Schema 2020-12', z.looseObject({})) },
  }),
}
