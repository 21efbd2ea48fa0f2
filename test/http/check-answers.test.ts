/** Every test app checks its responses against their declarations. These tests show that the check finds differences. */
import { expect, test } from 'vitest'
import { json, problem } from '#http/answer.ts'
import { endpoint } from '#http/endpoint.ts'
import { z } from '#http/schemas/z.ts'
import { createAnswerCheck } from '../support/check-answers.ts'

const things = {
  getThing: endpoint({
    method: 'get',
    path: '/things/{id}',
    admits: ['public'],
    tag: 'Things',
    summary: 'A thing',
    answers: { 200: json('It', z.object({ id: z.string() })), 404: problem('Unknown id') },
  }),
}

const check = createAnswerCheck(things)

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

const answered = (status: number, body: unknown, headers: Record<string, string> = JSON_TYPE) =>
  check({
    method: 'GET',
    path: '/things/1?more=yes',
    status,
    headers: new Headers(headers),
    text: JSON.stringify(body),
  })

const error = { error: 'There is none.', code: 'not_found', request_id: 'r1' }

test('declared answers and errors pass', () => {
  answered(200, { id: '1' })
  answered(404, error)
  answered(500, { ...error, code: 'internal' })
})

test('a field that the schema does not name is found', () => {
  expect(() => answered(200, { id: '1', secret: 's' })).toThrow(/GET \/things\/\{id\} answered 200/)
  expect(() => answered(404, { ...error, stack: 'at …' })).toThrow(/404/)
})

test('a missing or wrong field is found', () => {
  expect(() => answered(200, {})).toThrow(/id/)
  expect(() => answered(200, { id: 1 })).toThrow(/id/)
  expect(() => answered(404, { message: 'no' })).toThrow(/request_id/)
})

test('a status or content type that is not declared is found', () => {
  expect(() => answered(201, { id: '1' })).toThrow(/declares no such status/)
  expect(() => answered(409, error)).toThrow(/declares no such status/)
  expect(() => answered(200, { id: '1' }, { 'content-type': 'text/plain' })).toThrow(/text\/plain/)
})
