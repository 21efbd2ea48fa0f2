/**
 * An S3 server in this process: s3rver with its own folder, behind a check of each signature, which s3rver does not do. The
 * check is written from the specification of signature version 4 and shares no code with aws4fetch.
 */
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import S3rver from 's3rver'
import { portOf } from './port-of.ts'

/** The only key that s3rver accepts. The check of signatures uses its secret. */
export const S3_KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'secret-of-the-s3-tests' }
export const S3_BUCKET = 'backups'

export type S3Server = Readonly<{
  endpoint: string
  /** Methods and addresses of all requests so far. */
  requests: readonly string[]
  /** Faults for requests whose method and address match. The first match counts. */
  faults: S3Fault[]
  close: () => Promise<void>
}>

export type S3Fault = Readonly<{
  at: RegExp
  /**
   * reset: the connection ends. hang: no response comes. status: 503. deny: 403. corrupt: a byte
   * of the body changes. hide: the ETag is not an MD5, as with encryption by the service. halve:
   * half of the response comes. late: a success whose body is an error.
   */
  does: 'reset' | 'hang' | 'status' | 'deny' | 'corrupt' | 'hide' | 'halve' | 'late'
  /** Ends the fault after this many requests. @default never */
  times?: number
}>

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const signatureOf = (request: IncomingMessage, credential: string, signed: string): string => {
  const url = new URL(request.url ?? '/', 'http://s3')
  const [, date = '', region = '', service = ''] = credential.split('/')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const path = url.pathname.split('/').map(decodeURIComponent).map(encode).join('/')
  const header = (name: string): string => String(request.headers[name] ?? '').trim()
  const headers = signed.split(';').map((name) => `${name}:${header(name)}\n`)
  const canonical = [
    request.method,
    path,
    query,
    headers.join(''),
    signed,
    header('x-amz-content-sha256'),
  ].join('\n')
  const scope = [date, region, service, 'aws4_request']
  const text = [
    'AWS4-HMAC-SHA256',
    header('x-amz-date'),
    scope.join('/'),
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${S3_KEY.secretAccessKey}`)
  return hmac(key, text).toString('hex')
}

/** Checks the signature only. s3rver refuses unknown keys and wrong times. */
const isSigned = (request: IncomingMessage): boolean => {
  const [, credential = '', signed = '', signature = ''] =
    /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  if (credential !== '' && !credential.startsWith(`${S3_KEY.accessKeyId}/`)) return true
  return signature !== '' && signatureOf(request, credential, signed) === signature
}

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

const corrupt = (request: IncomingMessage): void => {
  const pipe = request.pipe.bind(request)
  const change = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const changed = Buffer.from(chunk)
      changed[0] = (changed[0] ?? 0) ^ 1
      done(null, changed)
    },
  })
  request.pipe = (to, options) => pipe(change).pipe(to, options)
}

const hideMd5 = (response: ServerResponse): void => {
  const set = response.setHeader.bind(response)
  response.setHeader = (name, value) =>
    set(name, /^etag$/i.test(name) ? '"00000000000000000000000000000000"' : value)
}

const halve = (response: ServerResponse): void => {
  const write = response.write.bind(response)
  const cut = (chunk: Buffer): boolean =>
    write(chunk.subarray(0, chunk.length / 2), () => response.destroy())
  response.write = (chunk: unknown) => (chunk instanceof Buffer ? cut(chunk) : true)
}

/** @returns whether the request still needs a response */
const apply = (does: S3Fault['does'], request: IncomingMessage, response: ServerResponse) => {
  if (does === 'corrupt') corrupt(request)
  if (does === 'hide') hideMd5(response)
  if (does === 'halve') halve(response)
  if (does === 'reset') request.destroy()
  if (does === 'status') refuse(response, 503, 'SlowDown')
  if (does === 'late') refuse(response, 200, 'InternalError')
  if (does === 'deny') refuse(response, 403, 'AccessDenied')
  return does === 'corrupt' || does === 'hide' || does === 'halve'
}

/** Starts a server with one bucket. @param port @default any free port */
export const startS3Server = async (port = 0): Promise<S3Server> => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-s3-'))
  const store = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: S3_BUCKET, configs: [] }],
  })
  await store.configureBuckets()
  const handle = store.callback()
  const requests: string[] = []
  const faults: S3Fault[] = []
  const left = new Map<S3Fault, number>()
  const findFault = (line: string): S3Fault | undefined => {
    const fault = faults.find((one) => one.at.test(line) && left.get(one) !== 0)
    if (fault?.times !== undefined) left.set(fault, (left.get(fault) ?? fault.times) - 1)
    return fault
  }
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`
    requests.push(line)
    if (!isSigned(request)) return refuse(response, 403, 'SignatureDoesNotMatch')
    const hasMd5 = request.headers['content-md5'] !== undefined
    // a bucket with object lock refuses this, too
    if (request.method === 'PUT' && !hasMd5) return refuse(response, 400, 'InvalidRequest')
    const fault = findFault(line)
    if (fault === undefined || apply(fault.does, request, response)) void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bound = portOf(server)
  return {
    endpoint: `http://127.0.0.1:${bound}`,
    requests,
    faults,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
