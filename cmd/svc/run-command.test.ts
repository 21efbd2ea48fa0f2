import process from 'node:process'
import { expect, test, vi } from 'vitest'
import { serveCommands } from '../../test/support/command-target.ts'
import { command } from './commands/run.ts'

/** The keys of the requests that wait for the job. */
const keys: unknown[] = []
serveCommands((request, response) => {
  if (request.url === '/api/auth/me') {
    response.end('{"workspace":"default","scopes":["jobs:run"]}')
    return
  }
  keys.push(request.headers['idempotency-key'])
  // a server that stops ends the connections of requests that wait
  if (keys.length === 1) request.socket.destroy()
  else if (keys.length === 2) response.writeHead(503).end('{"error":"The server is stopping."}')
  else if (keys.length === 3) response.writeHead(202).end('{"job_id":"1","status":"pending"}')
  else response.end('{"job_id":"1","status":"success","result":7}')
})

test('a run that waits in its requests outlasts a restart and a long job, and queues its job once', async () => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await command.handler({ _: [], $0: 'svc', action: 'hello/greet', wait: true, quiet: true })
    expect(printed).toHaveBeenCalledWith(expect.stringContaining('7'))
  } finally {
    printed.mockRestore()
  }
  expect(keys).toEqual(Array(4).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)))
  expect(new Set(keys).size).toBe(1)
})
