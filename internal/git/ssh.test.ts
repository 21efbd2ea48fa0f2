/** Records the arguments of ssh in a fake, which then does ssh's work on this machine. */
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, it } from 'vitest'
import { openRepositoryFolder } from '../../test/support/git-repository.ts'
import { createGit } from './git.ts'
import { makeSessionFolder, removeLeftSessions } from './session-folder.ts'

const repositories = openRepositoryFolder()
const folder = mkdtempSync(join(tmpdir(), 'svc-fake-ssh-'))
afterAll(() => {
  repositories.remove()
  rmSync(folder, { recursive: true, force: true })
})

const SSH = `#!/bin/sh
printf '%s\\n' "$@" > ${folder}/args
env > ${folder}/env
for option in "$@"; do
  case "$option" in
    IdentityFile=*) file="\${option#IdentityFile=}"; [ -f "$file" ] && { cat "$file" > ${folder}/key; stat -c %a "$file" > ${folder}/mode; } ;;
    UserKnownHostsFile=*) cat "\${option#UserKnownHostsFile=}" > ${folder}/hosts 2>/dev/null ;;
  esac
  command="$option"
done
exec sh -c "git -c safe.directory='*' \${command#git-}"
`
mkdirSync(join(folder, 'bin'))
writeFileSync(join(folder, 'bin', 'ssh'), SSH, { mode: 0o755 })

const temporary = join(folder, 'tmp')
mkdirSync(temporary)
const git = createGit({
  localRoots: [],
  environment: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, TMPDIR: temporary },
  resolve: async () => ['93.184.215.14'],
})
const seen = (name: string): string => readFileSync(join(folder, name), 'utf8')

it('passes an ssh key by a file of its own, and nothing of the user who runs svc', async () => {
  const repository = repositories.create('app')
  const commit = repository.commit({ 'app.yaml': 'key: a' })
  const url = `ssh://git@example.com:2222${repository.path}/.git`
  const key = '\r\n THE KEY\r\nAND ITS END \r\n\r\n'
  const auth = { type: 'ssh_key', private_key: key, known_hosts: 'example.com KEY' } as const
  const snapshot = await git.fetch({ url, auth }, null)
  expect(snapshot.commit).toBe(commit)
  expect(await snapshot.list('', async () => undefined)).toMatchObject([
    { path: 'app.yaml', size: 6 },
  ])
  snapshot.dispose()

  expect([seen('key'), seen('mode'), seen('hosts')]).toEqual([
    'THE KEY\nAND ITS END\n',
    '600\n',
    'example.com KEY',
  ])
  const args = seen('args')
  for (const option of [
    '-F\n/dev/null',
    'BatchMode=yes',
    'IdentityAgent=none',
    'StrictHostKeyChecking=yes',
    'HostName=93.184.215.14',
    'HostKeyAlias=example.com',
    '-p\n2222',
    'git@example.com',
  ]) {
    expect(args).toContain(option)
  }
  expect(args).not.toContain('THE KEY')
  expect(seen('env')).not.toMatch(/THE KEY|SSH_AUTH_SOCK|^HOME=\/root$/m)
})

it('passes no credentials when there are none, and accepts the first host key', async () => {
  const repository = repositories.create('open')
  repository.commit({ 'app.yaml': 'key: a' })
  const url = `git@example.com:${repository.path}/.git`
  const probe = await git.probe({ url, auth: null }, async () => undefined)
  expect(probe).toMatchObject({ reachable: true, branches: ['main'] })
  expect(seen('args')).toContain('IdentityFile=none')
  expect(seen('args')).toContain('StrictHostKeyChecking=accept-new')
})

it('leaves no folder behind after success, failure or abort', async () => {
  const auth = { type: 'ssh_key', private_key: 'THE KEY' } as const
  await expect(git.fetch({ url: 'ssh://git@example.com/none', auth }, null)).rejects.toMatchObject({
    code: 'git_unreachable',
  })
  const ours = readdirSync(tmpdir()).filter((name) => name.startsWith('svc-git-'))
  const holding = ours.filter((name) => readdirSync(join(tmpdir(), name)).includes('key'))
  expect(holding).toEqual([])
})

it('removes sessions of killed processes, and nothing else', () => {
  const place = mkdtempSync(join(folder, 'left-'))
  const living = makeSessionFolder(place)
  const name = basename(living)
  // the kernel's largest process id is 4,194,304
  const ofNoProcess = (text: string) => text.replace(`-${process.pid}-`, '-4194305-')
  const [left, link] = [ofNoProcess(name), `${ofNoProcess(name)}-link`]
  mkdirSync(join(place, left))
  symlinkSync(repositories.root, join(place, link))
  // a folder of another container, whose process ids mean nothing here
  const elsewhere = 'svc-git-1-4194305-abcdef'
  for (const other of [elsewhere, 'other']) mkdirSync(join(place, other))
  // age does not count, because the clock of a machine may be hours ahead
  utimesSync(living, 0, 0)
  removeLeftSessions(place)
  expect(readdirSync(place).sort()).toEqual(['other', elsewhere, name].sort())
  expect(readdirSync(repositories.root)).not.toEqual([])
})

it('root also removes sessions of killed processes that it gave to the user as which git runs', () => {
  const place = mkdtempSync(join(folder, 'given-'))
  const living = makeSessionFolder(place)
  const left = living.replace(`-${process.pid}-`, '-4194305-')
  renameSync(living, left)
  // only root may give a folder away; to root, that of anyone else is as good
  if (process.getuid?.() === 0) chownSync(left, 65_533, 65_533)
  removeLeftSessions(place, 0)
  expect(readdirSync(place)).toEqual([])
})
