/** `svc flows run --wait` with a token that may start flows but not read their runs. */
import process from 'node:process'
import { expect, test, vi } from 'vitest'
import yargs from 'yargs'
import { serveCommands } from '../../test/support/command-target.ts'
import { command } from './commands/flows.ts'

const PATH = '/api/w/default/flows/run/hello/report'
const sent: Readonly<{ url: string; key: unknown }>[] = []
serveCommands(({ url = '', headers }, response) => {
  if (url === '/api/auth/me') {
    response.end('{"workspace":"default","scopes":["flows:run"]}')
    return
  }
  sent.push({ url, key: headers['idempotency-key'] })
  if (sent.length === 1) response.writeHead(202).end('{"flow_run_id":"1","status":"pending"}')
  else response.end('{"flow_run_id":"1","status":"completed","result":7,"error":null}')
})

test('waits in requests of one key, of which none reads the run', async () => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const args = yargs(['run', 'hello/report', '--input', '{}', '--wait', '--json']).fail(false)
    await Promise.resolve(command.builder?.(args)).then((built) => built?.parseAsync())
    expect(JSON.parse(String(printed.mock.calls[0]?.[0]))).toEqual({
      flow_run_id: '1',
      status: 'completed',
      result: 7,
      error: null,
    })
  } finally {
    printed.mockRestore()
  }
  expect(sent.map(({ url }) => url)).toEqual(Array(2).fill(`${PATH}/wait?timeout_ms=30000`))
  expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  expect(sent[1]?.key).toBe(sent[0]?.key)
})
