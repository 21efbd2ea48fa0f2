/** A real MariaDB for tests, with TLS. Its user `test` has no password. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  accepts,
  freePort,
  giveTo,
  makePlace,
  type Server,
  startServer,
  userOf,
} from './server-process.ts'

/** One statement per line. */
const USERS = `CREATE USER 'test'@'127.0.0.1';\nGRANT ALL ON *.* TO 'test'@'127.0.0.1';\n`

export const startMariadb = async (): Promise<Server> => {
  const port = await freePort()
  const user = userOf('mysql')
  const { folder, cert, key } = makePlace('mariadb', user)
  const data = `--datadir=${join(folder, 'data')}`
  const small = ['--no-defaults', data, '--innodb-log-file-size=4M', '--innodb-flush-method=nosync']
  const install = [
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
  ]
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const
  execFileSync('mariadb-install-db', [...small, ...install], options)
  const init = join(folder, 'users.sql')
  writeFileSync(init, USERS)
  giveTo(init, user)
  return startServer({
    command: '/usr/sbin/mariadbd',
    args: [
      ...small,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      `--port=${port}`,
      `--socket=${join(folder, 'sock')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--init-file=${init}`,
      `--ssl-cert=${cert}`,
      `--ssl-key=${key}`,
    ],
    port,
    folder,
    user,
    isReady: () => accepts(port),
  })
}
