/**
 * A program that starts processes while it has no file descriptors left, and prints what came of each. Started by
 * test/e2e/no-descriptors.test.ts under a low limit.
 */
import { openSync, writeSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { runBackend } from '#git/http-backend.ts'
import { runGit } from '#git/run-git.ts'
import { startReader } from '#pdf/reader-process.ts'
import { startGuest } from '#sandbox/host/process.ts'

const env = { PATH: process.env.PATH ?? '' }
const folder = { root: '/tmp', maxBytes: 1, path: env.PATH }
const run = { args: ['version'], env, folder: '/tmp', network: false, timeoutMs: 10_000 }
const request = {
  repository: '/tmp/none.git',
  service: 'git-upload-pack',
  isAdvertisement: true,
  contentEncoding: undefined,
  protocol: undefined,
  body: null,
  signal: new AbortController().signal,
  onRefs: async () => false,
} as const

const said: string[] = []
const outcomeOf = async (act: () => unknown): Promise<string> => {
  try {
    await act()
    return 'started'
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown'
  }
}

try {
  for (;;) openSync('/dev/null', 'r')
} catch {
  // no descriptor is left
}
said.push(await outcomeOf(() => runGit({ ...run, maxOutputBytes: 1_000 })))
let ends = 0
const onEnded = (): void => {
  ends += 1
}
said.push(await outcomeOf(() => runBackend(folder, { ...request, onEnded })), `ended ${ends}`)
said.push(await outcomeOf(() => startReader({ command: '/bin/true', args: [], env })))
const guest = { command: '/bin/true', args: [], env, user: null, owner: null }
said.push(await outcomeOf(() => startGuest(() => guest)))
// the errors of processes come as events
await setTimeout(10)
writeSync(1, JSON.stringify(said))
