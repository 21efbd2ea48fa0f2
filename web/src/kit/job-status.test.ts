import { expect, test } from 'vitest'
import { jobStatus } from './job-status.ts'

test('a suspended job shows what it waits for, and any other its status', () => {
  const suspended = { kind: 'sleep', name: 'pause', until: null } as const
  expect(jobStatus({ status: 'queued', suspended })).toBe('sleeping')
  expect(jobStatus({ status: 'queued', suspended: { ...suspended, kind: 'job' } })).toBe(
    'waiting_job',
  )
  expect(jobStatus({ status: 'queued', suspended: null })).toBe('queued')
  expect(jobStatus({ status: 'success', suspended: null })).toBe('success')
})
