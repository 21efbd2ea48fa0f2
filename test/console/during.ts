/** A visit that must end without faults, except for refusals that its test expects. */
import { expect } from 'vitest'
import type { Visit } from './browser.ts'

export const during = async (
  opened: Promise<Visit>,
  act: (visit: Visit) => Promise<void>,
  expected?: RegExp,
): Promise<void> => {
  const visit = await opened
  try {
    await act(visit)
    expect(visit.faults.filter((fault) => expected?.test(fault) !== true)).toEqual([])
  } finally {
    await visit.close()
  }
}
