/** Debian's Chromium, for pages of the console and for prints. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The first program that is installed. The one without windows needs less of a small machine. */
const PROGRAM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
  existsSync(path),
)

/**
 * @param more arguments
 * @throws {Error} Chromium is missing; the message explains how to install it
 */
export const launchChromium = (more: readonly string[] = []): Promise<Browser> => {
  if (PROGRAM === undefined) {
    throw new Error(
      'Chromium is missing. Install it: make test-tools, or apt-get install chromium-headless-shell fonts-nanum',
    )
  }
  return chromium.launch({
    executablePath: PROGRAM,
    // Chromium only loads the tests' own pages, and the container gives it no sandbox
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...more],
  })
}
