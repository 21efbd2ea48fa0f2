import { expect, test } from 'vitest'
import { AppError } from '#core/error.ts'
import { toWireError } from './error.ts'

test.each([
  ['isolation_too_low', false],
  ['function_failed', false],
  ['no_git', true],
])('a 503 %s counts as a fault of the server: %s', (code, isOurs) => {
  const error = new AppError('unavailable', 'Refused.', { code })
  expect(toWireError(error)).toMatchObject({ status: 503, code, isOurs })
})

test('a full disk of the node is named, and is a fault of the server', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  })
  expect(toWireError(error)).toMatchObject({
    status: 503,
    message: expect.stringContaining('is full. Free some space'),
    isOurs: true,
    isBusy: false,
  })
})
