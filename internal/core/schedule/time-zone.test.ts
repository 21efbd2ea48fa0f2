import { expect, test, vi } from 'vitest'
import { isTimeZone } from './time-zone.ts'

/** Returns the name in the case that the bits of a number choose. */
const spelled = (name: string, bits: number): string =>
  [...name].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join('')

test('spellings of one name do not fill the memory', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  try {
    const spellings = Array.from({ length: 1_010 }, (_, n) => spelled('antarctica/vostok', n))
    expect(spellings.every(isTimeZone)).toBe(true)
    made.mockClear()
    expect(isTimeZone(spellings.at(-1) ?? '')).toBe(true)
    expect(made).not.toHaveBeenCalled()
    expect(isTimeZone(spellings[0] ?? '')).toBe(true)
    expect(made).toHaveBeenCalledOnce()
  } finally {
    made.mockRestore()
  }
})
