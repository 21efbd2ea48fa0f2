/** An S3 server for the bottomless replication of sqld, which signs without Content-MD5, and the settings of sqld for it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { portOf } from './port-of.ts'

const BUCKET = 'bottomless'
/** The access key of s3rver. */
const KEY = 'S3RVER'

export type Bottomless = Readonly<{
  /** Environment of sqld. */
  env: Readonly<Record<string, string>>
  /** Arguments of sqld. */
  more: readonly string[]
  /** Requests so far. */
  requests: () => number
  /** Resets all connections, and accepts none until `join` is called. */
  cut: () => void
  join: () => void
  close: () => void
}>

/** @param intervalS seconds between uploads */
export const startBottomless = async (intervalS: number): Promise<Bottomless> => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-s3-'))
  const configureBuckets = [{ name: BUCKET, configs: [] }]
  const store = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets })
  await store.configureBuckets()
  const handle = store.callback()
  let requests = 0
  let isCut = false
  const server = createServer((request, response) => {
    requests += 1
    void handle(request, response)
  })
  server.on('connection', (socket) => isCut && socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    env: {
      LIBSQL_BOTTOMLESS_BUCKET: BUCKET,
      LIBSQL_BOTTOMLESS_ENDPOINT: `http://127.0.0.1:${port}`,
      LIBSQL_BOTTOMLESS_AWS_ACCESS_KEY_ID: KEY,
      LIBSQL_BOTTOMLESS_AWS_SECRET_ACCESS_KEY: KEY,
      LIBSQL_BOTTOMLESS_AWS_DEFAULT_REGION: 'us-east-1',
      LIBSQL_BOTTOMLESS_DATABASE_ID: 'svc',
      LIBSQL_BOTTOMLESS_BATCH_INTERVAL_SECS: String(intervalS),
    },
    more: ['--enable-bottomless-replication'],
    requests: () => requests,
    cut: () => {
      isCut = true
      server.closeAllConnections()
    },
    join: () => {
      isCut = false
    },
    close: () => {
      server.closeAllConnections()
      server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
