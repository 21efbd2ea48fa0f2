import { onTestFinished, vi } from 'vitest'

/** Moves the monotonic clock of this process on by a minute for the rest of the test, so that the storage meter measures again. */
export const expireMeasurements = (): void => {
  const now = performance.now.bind(performance)
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  onTestFinished(() => spy.mockRestore())
}
