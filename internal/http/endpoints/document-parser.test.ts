import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('names every code of 422 that the guide lists', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/parser.md'), 'utf8')
  const listed = [...guide.matchAll(/^\| 422 \| (`\w+`)/gm)].map(([, code]) => code)
  expect(listed).toContain('`in_pieces`')
  expect(answers[422].description.match(/`\w+`/g)).toEqual(listed)
})
