import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '#core/error.ts'
import { findDeno } from '#platform/deno.ts'
import { OS_PROBE_CODE } from '#sandbox/providers/probe/os-probe.ts'
import { probeConfinement } from '#sandbox/providers/probe/probe.ts'
import { type ProviderChoice, selectProvider } from '#sandbox/providers/select-provider.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import {
  bubblewrapProvider,
  denoProvider,
  errorOf,
  findBubblewrap,
  main,
  nodeProvider,
  openPool,
  resultOf,
  runtimeFolder,
  unconfinedProvider,
} from './job.ts'

const choice = (changes: Partial<ProviderChoice> = {}): ProviderChoice => ({
  wanted: 'auto',
  minLevel: 'runtime',
  runtimeDir: runtimeFolder(),
  findDeno: async () => findDeno(),
  bwrapPath: null,
  ...changes,
})

const folders: string[] = []

/** A program that starts but is not Deno. */
const impostor = (script: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-impostor-'))
  folders.push(folder)
  chmodSync(folder, 0o755)
  const path = join(folder, 'deno')
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

const refusalOf = async (changes: Partial<ProviderChoice>): Promise<AppError> => {
  const error: unknown = await selectProvider(choice(changes)).catch((reason: unknown) => reason)
  if (error instanceof AppError) return error
  throw new Error(`It was not refused: ${JSON.stringify(error)}`)
}

const pools: Sandbox[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
})

describe('SVC_SANDBOX', () => {
  it('is refused once, with the remedy, where no sandbox finds Deno', async () => {
    const findNone = async () => Promise.reject(new Error('nowhere'))
    const { message } = await refusalOf({ bwrapPath: findBubblewrap(), findDeno: findNone })
    expect(message.split('The Deno runtime')).toHaveLength(2)
    expect(message).toContain('Set SVC_DENO_PATH')
  })

  it.each(['/etc/passwd', '/tmp'])('is refused where SVC_DENO_PATH is %s', async (path) => {
    const { message } = await refusalOf({
      findDeno: async () => path,
      minLevel: 'none',
      wanted: 'deno',
    })
    expect(message).toContain(`${path} is not a program. Set SVC_DENO_PATH`)
  })

  it('gives each note once, and names the setting of a program that is not Deno', async () => {
    const { message } = await refusalOf({
      findDeno: async () => impostor('exit 1'),
      bwrapPath: findBubblewrap(),
    })
    const notes = message.match(/Jobs run as root[^.]*/g) ?? []
    expect(new Set(notes).size).toBe(notes.length)
    expect(message).toContain('SVC_DENO_PATH')
  })

  it.each(['auto', 'bubblewrap'] as const)(
    '%s takes bubblewrap, at level os, where it works',
    async (wanted) => {
      const { provider, probe } = await selectProvider(
        choice({ wanted, minLevel: 'os', bwrapPath: findBubblewrap() }),
      )
      expect([provider.name, provider.level, probe]).toEqual([
        'bubblewrap',
        'os',
        { ok: true, level: 'os', notes: [] },
      ])
    },
  )

  it.each(['auto', 'deno'] as const)(
    '%s takes Deno, at level runtime, where there is no bubblewrap',
    async (wanted) => {
      const { provider, probe } = await selectProvider(choice({ wanted }))
      expect([provider.name, provider.level, probe.level]).toEqual(['deno', 'runtime', 'runtime'])
      const advice = probe.notes.join().includes('apt-get install bubblewrap')
      expect(advice).toBe(wanted === 'auto')
    },
  )

  it.each([
    ['echo bubblewrap 0.6.1', 'needs 0.8'],
    [
      'test "$1" = --version && echo bubblewrap 0.9.0 || { echo "bwrap: setting up uid map: Permission denied" >&2; exit 1; }',
      'kernel.apparmor_restrict_unprivileged_userns',
    ],
    ['exit 1', 'does not start'],
  ])('auto takes Deno where bubblewrap reports %j, and logs the remedy', async (script, advice) => {
    const bwrapPath = impostor(script)
    const { provider, probe } = await selectProvider(choice({ bwrapPath }))
    expect(provider.name).toBe('deno')
    expect(probe.notes.join()).toContain(advice)
    const error = await refusalOf({ bwrapPath, wanted: 'bubblewrap' })
    expect(error.message).toContain(advice)
    expect((await refusalOf({ bwrapPath, minLevel: 'os' })).message).toContain(advice)
  })

  it('node is refused where confinement is required, and names the remedy', async () => {
    const error = await refusalOf({ wanted: 'node' })
    expect(error.kind).toBe('unavailable')
    expect(error.message).toContain('SVC_SANDBOX_MIN_LEVEL asks for "runtime"')
    expect(error.message).toContain('lower the level')
  })

  it('node runs jobs where no confinement is required, and warns of it', async () => {
    const { provider, probe } = await selectProvider(choice({ wanted: 'node', minLevel: 'none' }))
    expect(probe).toMatchObject({
      level: 'none',
      notes: [expect.stringContaining('nothing confines them')],
    })
    const pool = openPool(provider)
    pools.push(pool)
    expect(await resultOf(pool, { code: main('return process.version') })).toBe(process.version)
  })

  it.each(['deno', 'auto'] as const)('%s is refused when there is no Deno', async (wanted) => {
    const findNone = async () => {
      throw new Error('npm installed none for this machine')
    }
    const error = await refusalOf({ wanted, findDeno: findNone })
    expect(error.message).toContain('npm installed none for this machine')
  })

  it('auto falls back to node only where no confinement is required, and logs why', async () => {
    const findDenoNowhere = async () => '/nowhere/deno'
    await refusalOf({ findDeno: findDenoNowhere })
    const { provider, probe } = await selectProvider(
      choice({ minLevel: 'none', findDeno: findDenoNowhere }),
    )
    expect(provider.name).toBe('node')
    expect(probe.notes.join()).toContain('/nowhere/deno')
    await expect(
      selectProvider(choice({ wanted: 'deno', minLevel: 'none', findDeno: findDenoNowhere })),
    ).rejects.toThrow('/nowhere/deno')
  })

  it.each(['os', 'vm'] as const)(
    'refuses a minimum level of %s, which nothing here reaches',
    async (minLevel) => {
      expect((await refusalOf({ minLevel })).message).toContain(`asks for "${minLevel}"`)
    },
  )
})

describe('an operator’s own confinement', () => {
  const USR = '--ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64'
  const OWN = '--ro-bind {deno} {deno} --ro-bind {guest} {guest} --bind {folder} {folder}'
  /** A bubblewrap command as an operator would write it, without what svc adds. */
  const confinementWith = (more: string): readonly string[] =>
    `/usr/bin/bwrap --unshare-all --die-with-parent --clearenv ${USR} --proc /proc ${more} --dev /dev --tmpfs /tmp ${OWN} --chdir {folder}`
      .split(' ')
      .filter((word) => word !== '')
  const CONFINEMENT = confinementWith('--ro-bind /proc/sys /proc/sys')

  it('are tried, and jobs run behind them', async () => {
    const { provider, probe } = await selectProvider(
      choice({ wanted: 'command', command: CONFINEMENT, minLevel: 'os' }),
    )
    expect([provider.name, provider.level, probe]).toEqual([
      'command',
      'os',
      { ok: true, level: 'os', notes: [] },
    ])
    const pool = openPool(provider)
    pools.push(pool)
    const code = main('Deno.writeTextFileSync("a", "b"); return Deno.readTextFileSync("a")')
    expect(await resultOf(pool, { code })).toBe('b')
    const far = main('return (await fetch("http://127.0.0.1:5432/")).status')
    expect(await errorOf(pool, far)).toMatchObject({ message: expect.stringContaining('public') })
  })

  it('are refused where they do not confine', async () => {
    const error = await refusalOf({ wanted: 'command', command: ['/usr/bin/nice'] })
    expect(error.message).toContain('read files of the host')
  })

  it('are refused where they leave a way to the kernel open', async () => {
    // only root may write there
    if (process.getuid?.() !== 0) return
    const error = await refusalOf({ wanted: 'command', command: confinementWith('') })
    expect(error.message).toContain('change the kernel')
  })

  it('must be named', async () => {
    expect((await refusalOf({ wanted: 'command' })).message).toContain('SVC_SANDBOX_COMMAND')
  })
})

describe('the probe at start', () => {
  it('finds that confinement holds', async () => {
    expect(await probeConfinement(denoProvider().commandFor)).toEqual({ holds: true })
  })

  it('names the temporary folder if it cannot be used', async () => {
    const { commandFor } = denoProvider()
    const result = await probeConfinement(commandFor, undefined, '/dev/null/none')
    expect(result).toMatchObject({
      holds: false,
      reason: expect.stringMatching(
        /^The temporary folder \/dev\/null\/none cannot be used .*TMPDIR/,
      ),
    })
  })

  it('finds that the operating system confines without Deno', async () => {
    expect(await bubblewrapProvider().probe()).toEqual({ ok: true, level: 'os', notes: [] })
  })

  it('finds that without bubblewrap nothing is refused', async () => {
    const result = await probeConfinement(unconfinedProvider().commandFor, OS_PROBE_CODE)
    if (result.holds) throw new Error('It saw confinement where there is none.')
    for (const attempt of [
      'read files',
      'read files of the host',
      'write files of the host',
      'see the host',
      'see processes',
      'see processes of the host',
      'start processes',
      'leave namespaces',
      'open kernel sockets',
      'reach localhost',
    ]) {
      expect(result.reason).toContain(attempt)
    }
  })

  it('finds each refusal that is missing', async () => {
    const result = await probeConfinement(unconfinedProvider().commandFor)
    if (result.holds) throw new Error('It saw confinement where there is none.')
    for (const attempt of [
      'read files',
      'read the environment',
      'start processes',
      'listen',
      'reach localhost',
      'reach 0.0.0.0',
      'reach ::ffff:127.0.0.1',
      'reach private IPv6',
      'reach the metadata address',
    ]) {
      expect(result.reason).toContain(attempt)
    }
  })

  it.each([
    ['ends at once', 'exit 3'],
    ['prints something else', 'echo hello; cat > /dev/null'],
    ['is closed to others', 'exit 0', 0o700],
  ])(
    'refuses a runtime that %s',
    async (_what, script, mode = 0o755) => {
      const path = impostor(script)
      chmodSync(path, mode)
      const error = await refusalOf({ findDeno: async () => path })
      expect(error.message).toContain('does not work here')
    },
    20_000,
  )
})

describe('the provider node', () => {
  it('gives jobs nothing of the service’s environment either', async () => {
    process.env.SVC_SECRET_KEY = 'canary-secret-91bd'
    const pool = openPool(nodeProvider())
    pools.push(pool)
    const code = main('return [process.env, process.argv, process.pid]')
    const seen = JSON.stringify(await resultOf(pool, { code }))
    delete process.env.SVC_SECRET_KEY
    expect(seen).toContain('TMPDIR')
    expect(seen).not.toContain('canary-secret')
    const pid = Number(seen.match(/(\d+)\]$/)?.[1])
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('canary-secret')
  })

  it('gives each process a temporary folder that goes with it', async () => {
    const pool = openPool(nodeProvider())
    const code = main('return [process.getBuiltinModule("os").tmpdir(), process.cwd()]')
    const [temporary, working] = (await resultOf(pool, { code })) as [string, string]
    expect(temporary).toBe(working)
    expect(temporary).toContain('svc-guest-')
    await pool.close()
    expect(() => readFileSync(temporary)).toThrow('ENOENT')
  })
})
