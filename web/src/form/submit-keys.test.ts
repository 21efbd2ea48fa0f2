import type { KeyboardEvent } from 'react'
import { expect, test, vi } from 'vitest'
import { submitKeys } from './submit-keys.ts'

const press = (key: string, held: Partial<KeyboardEvent>) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  preventDefault: vi.fn(),
  stopPropagation: vi.fn(),
  nativeEvent: { isComposing: false, keyCode: 13 },
  ...held,
})

test('Enter that ends the composition of a syllable submits nothing', () => {
  const submit = vi.fn()
  for (const nativeEvent of [
    { isComposing: true, keyCode: 229 },
    { isComposing: false, keyCode: 229 },
  ]) {
    const event = { ...press('Enter', { ctrlKey: true }), nativeEvent }
    submitKeys(submit).onKeyDownCapture(event as unknown as KeyboardEvent)
    expect(event.preventDefault).not.toHaveBeenCalled()
  }
  expect(submit).not.toHaveBeenCalled()
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
