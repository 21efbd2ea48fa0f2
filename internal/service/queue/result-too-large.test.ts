import { expect, test } from 'vitest'
import { faultOfResult } from './result-too-large.ts'

test('a result that sqld would refuse fails its job, in bytes of UTF-8', () => {
  expect(faultOfResult({ backend: 'remote' }, 'x'.repeat(5_000_000))).toBeNull()
  expect(faultOfResult({ backend: 'remote' }, '가'.repeat(1_700_000))).toMatchObject({
    name: 'ResultTooLarge',
    message: expect.stringContaining('5.1 MB'),
  })
  expect(faultOfResult({ backend: 'file' }, 'x'.repeat(5_000_001))).toBeNull()
})
