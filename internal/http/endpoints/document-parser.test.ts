import { expect, expectTypeOf, test } from 'vitest'
import { PARSER_VERSION, type ParserResponse } from '#registry/schema/document.ts'
import type { AnswerOf } from '../answer.ts'
import { documentParserEndpoints } from './document-parser.ts'

const { answers } = documentParserEndpoints.parseRegistry

test('the parser may answer nothing but its published response', () => {
  type Body = AnswerOf<typeof answers>['body']
  expectTypeOf<Body>().toEqualTypeOf<ParserResponse>()
  const { schema } = answers[200]
  expect(schema.safeParse({ document_type: 'registry' }).success).toBe(false)
  expect(schema.safeParse({ document_type: 'deed', parser_version: PARSER_VERSION }).success).toBe(
    false,
  )
})
