import { expect, test } from 'vitest'
import { createBusyLog } from './busy-log.ts'

test('one line stands for the refusals of 10 s', () => {
  let now = 0
  const lines: unknown[] = []
  const ignore = (): void => undefined
  const log = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (_: string, fields: unknown) => void lines.push(fields),
  }
  const logBusy = createBusyLog(() => now)
  for (; now < 25_000; now += 100) logBusy(log, 'Too many.', '/a')
  logBusy(log, 'Too many others.', '/b')
  expect(lines).toEqual([
    { requests: 1, message: 'Too many.', path: '/a' },
    { requests: 100, message: 'Too many.', path: '/a' },
    { requests: 100, message: 'Too many.', path: '/a' },
    { requests: 1, message: 'Too many others.', path: '/b' },
  ])
})
