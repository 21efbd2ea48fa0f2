/** A server that commands in this process call, with the credentials that name it. */
import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, vi } from 'vitest'

/** Starts the server before the tests of the calling file, and stops it after them. */
export const serveCommands = (answer: RequestListener): void => {
  const server = createServer(answer)
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    vi.stubEnv('SVC_URL', `http://127.0.0.1:${port}`)
    vi.stubEnv('SVC_TOKEN', 'token')
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    server.close()
  })
}
