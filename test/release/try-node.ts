/** The steps of a new user with a running node: waits for it, deploys an app, runs a job. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const HELLO = join(resolve(import.meta.dirname, '../..'), 'examples', 'hello')
const START_TIMEOUT_MS = 60_000
const POLL_MS = 200

/** @param node the process that must answer @throws {Error} it ended, or was not healthy within a minute */
export const untilHealthy = async (url: string, node: ChildProcess): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const isUp = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    assert.ok(Date.now() < deadline && node.exitCode === null, 'The node did not start.')
    await delay(POLL_MS)
  }
}

/** @param path below /api/w/default @throws {Error} the status is not 2xx */
export const callApi = async (
  url: string,
  token: string,
  path: string,
  init: RequestInit = {},
): Promise<unknown> => {
  const response = await fetch(`${url}/api/w/default${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })
  const text = await response.text()
  assert.ok(response.ok, `${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** Deploys examples/hello and runs one of its actions. */
export const deployAndRun = async (url: string, token: string): Promise<void> => {
  const form = new FormData()
  const archive = execFileSync('tar', ['-cz', '-C', HELLO, '.'])
  form.append('bundle', new Blob([archive]), 'hello.tar.gz')
  await callApi(url, token, '/deployments', { method: 'POST', body: form })
  const answer = await callApi(url, token, '/jobs/run/hello/greet/wait', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada' }),
  })
  assert.match(JSON.stringify(answer), /"status":"success"/)
}
