import { expect, test } from 'vitest'
import { ApiError } from '#sdk/client.ts'
import { offersRetry } from './retry.ts'

const answered = (status: number): ApiError =>
  new ApiError({ status, code: 'any', message: 'Any.', details: [], requestId: null })

test('a person is offered to try again only after errors that may pass', () => {
  expect([500, 503, 429, 401, 200].map((status) => offersRetry(answered(status)))).not.toContain(
    false,
  )
  expect([400, 403, 404, 409].map((status) => offersRetry(answered(status)))).not.toContain(true)
  expect(offersRetry(new TypeError('Failed to fetch'))).toBe(true)
})
