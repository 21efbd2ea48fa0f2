/** A node started by `deno task`, with Deno's own program or npm's: SIGTERM to the launcher ends the node. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, it } from 'vitest'
import { findDeno } from '#platform/deno.ts'
import { ROOT } from '../support/repository.ts'
import { type SvcProcess, startSvc } from '../support/svc-process.ts'

const folders: string[] = []
const started: SvcProcess[] = []
afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

it.each([
  ['deno', [findDeno()]],
  ['node_modules/.bin/deno', [process.execPath, join(ROOT, 'node_modules/.bin/deno')]],
])('%s task svc start ends when its launcher gets a signal', async (_, deno) => {
  const data = mkdtempSync(join(tmpdir(), 'svc-deno-task-'))
  folders.push(data)
  const program = [...deno, 'task', '--cwd', ROOT]
  const env = { SVC_DATA_DIR: data, SVC_SANDBOX: 'deno' }
  const node = startSvc(['svc', 'start'], { cwd: ROOT, env, program })
  started.push(node)
  const [, url = ''] = await node.untilSaid(/"url":"(http:[^"]+)"/)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  node.child.kill('SIGTERM')
  // the pipe of its stderr stays open as long as the node runs
  await new Promise((closed) => node.child.once('close', closed))
  expect(node.said()).toContain('"Stopped."')
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})
