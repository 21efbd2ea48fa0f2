import type { KeyboardEvent } from 'react'
import { expect, test, vi } from 'vitest'
import { submitKeys } from './submit-keys.ts'

const press = (key: string, held: Partial<KeyboardEvent>) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  preventDefault: vi.fn(),
  stopPropagation: vi.fn(),
  ...held,
})

test.each([
  ['Enter', { ctrlKey: true }, 1],
  ['Enter', { metaKey: true }, 1],
  ['Enter', {}, 0],
  ['s', { ctrlKey: true }, 0],
] as const)('%s with %j submits a form %i times, and then reaches no field', (key, held, times) => {
  const submit = vi.fn()
  const event = press(key, held)
  submitKeys(submit).onKeyDownCapture(event as unknown as KeyboardEvent)
  expect(submit).toHaveBeenCalledTimes(times)
  expect(event.stopPropagation).toHaveBeenCalledTimes(times)
})
