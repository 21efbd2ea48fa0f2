/** The operating system confines programs of svc that handle untrusted bytes. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import { createConfine } from '#confine/confine.ts'
import { createConfineGit } from '#confine/confine-git.ts'
import { confinedBundler, openConfine } from '#node/open-confine.ts'
import { openPdfReader, readerCommand } from '#node/pdf-reader.ts'
import { childrenOf } from '#sandbox/linux/process-tree.ts'
import { plainPdf } from '../support/raw-pdf.ts'
import { runtimeFolder } from './job.ts'

const folders: string[] = []
const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-confine-'))
  folders.push(folder)
  chmodSync(folder, 0o755)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const needsRun = <T>(confined: T | null): T => {
  if (confined === null) throw new Error('This machine cannot confine: apt-get install bubblewrap')
  return confined
}

const shell = (script: string) => ({ command: '/bin/sh', args: ['-c', script], env: { A: 'b' } })
const run = (script: string, needs: Parameters<ReturnType<typeof createConfine>>[1]): string => {
  const { command, args, env } = needsRun(createConfine(runtimeFolder())(shell(script), needs))
  return execFileSync(command, [...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe('a confined program', () => {
  it('gets its environment in no argument, which other users of the machine could read', () => {
    const program = { ...shell('env'), env: { PROXY: 'http://user:canary@proxy.example' } }
    const { command, args, env } = needsRun(
      createConfine(runtimeFolder())(program, { reads: [], processes: true }),
    )
    expect([command, ...args].join(' ')).not.toContain('canary')
    const seen = execFileSync(command, [...args], { env, encoding: 'utf8' }).split('\n')
    expect(seen.filter((line) => !/^(?:PWD=\/tmp|_=.*|)$/.test(line))).toEqual([
      'PROXY=http://user:canary@proxy.example',
    ])
  })

  it('sees what it reads and nothing else of this machine, and has no environment but its own', () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'a'), 'read me')
    const script = `cat ${folder}/a; for f in /etc/passwd /root /home ${process.cwd()}/package.json; do [ -e $f ] && echo SEEN $f; done; env | sort | tr '\\n' ' '`
    const told = run(script, { reads: [folder], processes: true })
    expect(told).toContain('read me')
    expect(told).not.toContain('SEEN')
    expect(told).toContain('A=b')
    expect(told).not.toContain('HOME=')
  })

  it('writes where it may, starts nothing and reaches nothing unless it is for it', () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'own'))
    const script = `echo x > ${folder}/own/a && echo written; (echo y > ${folder}/b) 2>/dev/null || echo refused; ls -1 /sys/class/net 2>/dev/null; cat /proc/net/dev | grep -c :`
    const told = run(script, { reads: [folder], writes: [join(folder, 'own')], processes: true })
    expect(told).toBe('written\nrefused\n1\n')
    expect(() => run('/usr/bin/true; /usr/bin/true', { reads: [] })).toThrow()
  })

  it('is given its folder once, and no link in it is followed', () => {
    // only root can give a folder to another user
    if (process.getuid?.() !== 0) return
    const [folder, elsewhere] = [makeFolder(), makeFolder()]
    writeFileSync(join(elsewhere, 'secret'), 'x')
    const own = join(folder, 'own')
    mkdirSync(own)
    symlinkSync(elsewhere, join(own, 'before'))
    const needs = { reads: [], writes: [own], processes: true }
    run(`ln -s ${elsewhere} ${own}/link; mkdir ${own}/a; ln -s ${elsewhere} ${own}/a/link`, needs)
    run('true', needs)
    expect([elsewhere, join(elsewhere, 'secret')].map((path) => statSync(path).uid)).toEqual([0, 0])
    expect(statSync(own).uid).not.toBe(0)
  })

  it('are proved without blocking the process, once', async () => {
    const proved = createConfine(runtimeFolder())
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    await proved.probe?.()
    clearInterval(timer)
    // a program takes a few milliseconds to start, in which the event loop must turn
    expect(turns).toBeGreaterThan(0)
    const took = (confine: ReturnType<typeof createConfine>): number => {
      const startedAt = performance.now()
      needsRun(confine(shell('true'), { reads: [] }))
      return performance.now() - startedAt
    }
    // the fastest of three, because a busy machine may delay one of them
    const afterProof = Math.min(took(proved), took(proved), took(proved))
    expect(afterProof).toBeLessThan(took(createConfine(runtimeFolder())))
  })

  it('ends whole', async () => {
    const confined = needsRun(
      createConfine(runtimeFolder())(shell('sleep 100 & sleep 100'), {
        reads: [],
        processes: true,
      }),
    )
    const child = spawn(confined.command, [...confined.args], {
      env: confined.env,
      stdio: 'ignore',
    })
    await expect.poll(() => childrenOf(child.pid ?? 0).length).toBe(1)
    confined.end(child.pid ?? 0)
    await once(child, 'exit')
  })
})

describe('programs of this node', () => {
  it('read PDFs confined', async () => {
    needsRun(readerCommand(openConfine()).end ?? null)
    const reader = openPdfReader()
    expect((await reader.readContent([plainPdf()])).kind).toBe('content')
    reader.close()
  })

  it('run git confined, with a network only for commands that talk to a remote', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'home'))
    const probe = (network: boolean): string => {
      const program = needsRun(
        createConfineGit(openConfine(), {})(
          {
            command: 'git',
            args: [
              ...[
                '-c',
                'alias.look=!cat /proc/net/dev | grep -c : ; ls /root /home /work 2>/dev/null; id -u',
              ],
              'look',
            ],
            env: { HOME: join(folder, 'home'), PATH: '/usr/bin:/bin' },
          },
          { folder, network },
        ),
      )
      return execFileSync(program.command, [...program.args], {
        env: program.env,
        encoding: 'utf8',
      })
    }
    expect(probe(false)).toBe('1\n65534\n')
    expect(probe(true)).toMatch(/^\d+\n65534\n$/)
    expect(Number(probe(true).split('\n')[0])).toBeGreaterThan(1)
  })

  it('bundle confined', async () => {
    const path = confinedBundler(openConfine())
    const script = `
      const esbuild = await import('esbuild')
      const plugin = { name: 'p', setup: (b) => { b.onResolve({ filter: /.*/ }, ({ path }) => ({ path, namespace: 'n' })); b.onLoad({ filter: /.*/, namespace: 'n' }, () => ({ contents: 'export const main = () => 7' })) } }
      const { outputFiles: [file] } = await esbuild.build({ entryPoints: ['x'], bundle: true, write: false, format: 'esm', plugins: [plugin] })
      process.stdout.write(file.text)
      process.exit(0)`
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, ESBUILD_BINARY_PATH: path },
    })
    expect(told).toContain('main = () => 7')
    expect(readFileSync(path, 'utf8')).toContain('bwrap')
  })
})
