/** A git host over HTTP: git's own http-backend behind a small server, optionally with a password. */
import { execFileSync, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { portOf } from './port-of.ts'

export type GitHttpServer = Readonly<{
  url: string
  /** Method and address of each request, with its Authorization. */
  requests: readonly Readonly<{ line: string; authorization: string | undefined }>[]
  close: () => Promise<void>
}>

export type GitHttpOptions = Readonly<{
  /** `Basic …`. Other values get 401. @default none required */
  authorization?: string
  /** Answers instead of git if it returns true. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** A loopback address. @default 127.0.0.1 */
  host?: string
  /** @default any free one */
  port?: number
}>

const runBackend = (root: string, request: IncomingMessage, response: ServerResponse): void => {
  const backend = join(
    execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(),
    'git-http-backend',
  )
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn(backend, {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  })
  request.pipe(child.stdin)
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  child.once('close', () => {
    const output = Buffer.concat(parts)
    const end = output.indexOf('\r\n\r\n')
    const lines = output.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
    const headers = lines.map((line) => line.split(': ', 2) as [string, string])
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200'
    for (const [name, value] of headers) {
      if (name !== '' && name !== 'Status') response.setHeader(name, value)
    }
    response.writeHead(Number.parseInt(status, 10)).end(output.subarray(end + 4))
  })
}

/** @param root folder of repositories */
export const startGitHttpServer = async (
  root: string,
  { authorization, intercept, host = '127.0.0.1', port: wanted = 0 }: GitHttpOptions = {},
): Promise<GitHttpServer> => {
  const requests: { line: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    const given = request.headers.authorization
    requests.push({ line: `${request.method} ${request.url}`, authorization: given })
    if (intercept?.(request, response) === true) return
    if (authorization !== undefined && given !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('Who are you?')
      return
    }
    runBackend(root, request, response)
  })
  await new Promise<void>((listening) => server.listen(wanted, host, listening))
  const port = portOf(server)
  return {
    url: `http://${host}:${port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}
