/** A real PostgreSQL for tests, with TLS. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, makePlace, type Server, startServer, userOf } from './server-process.ts'

const findBin = (): string => {
  const root = '/usr/lib/postgresql'
  const newest = readdirSync(root).sort().at(-1)
  if (newest === undefined)
    throw new Error('These tests need PostgreSQL: apt-get install postgresql')
  return join(root, newest, 'bin')
}

export const startPostgres = async (): Promise<Server> => {
  const bin = findBin()
  const port = await freePort()
  const user = userOf('postgres')
  const { folder, cert, key } = makePlace('postgres', user)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-N'], options)
  const settings = [
    'listen_addresses=127.0.0.1',
    'ssl=on',
    `ssl_cert_file=${cert}`,
    `ssl_key_file=${key}`,
    'fsync=off',
    'shared_buffers=16MB',
  ]
  return startServer({
    command: join(bin, 'postgres'),
    args: ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((one) => ['-c', one])],
    port,
    folder,
    user,
    isReady: async () => {
      try {
        const asked = ['-h', '127.0.0.1', '-p', String(port)]
        execFileSync(join(bin, 'pg_isready'), asked, { stdio: 'ignore' })
        return true
      } catch {
        // it does not answer before it has started
        return false
      }
    },
  })
}
