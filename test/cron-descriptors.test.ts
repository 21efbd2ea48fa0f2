/** The console imports nothing from internal, so both define the short forms of cron. This test keeps them equal. */
import { expect, it } from 'vitest'
import { readSource } from './support/repository.ts'

const descriptorsOf = (path: string): string =>
  /const DESCRIPTORS[^{]*\{([^}]*)\}/.exec(readSource(path))?.[1] ?? ''

it('the console reads the short forms of cron as the server does', () => {
  const ofServer = descriptorsOf('internal/core/schedule/timing.ts')
  expect(ofServer).toContain("'@hourly': '0 * * * *'")
  expect(descriptorsOf('web/src/schedule/cron-meaning.ts')).toBe(ofServer)
})
