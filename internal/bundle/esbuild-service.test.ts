import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Plugin } from 'esbuild'
import { expect, it, vi } from 'vitest'
import { BundlerGaveUp, beforeEsbuild, buildAlone } from './esbuild-service.ts'

/** Process ids of esbuild that this process has started. */
const esbuilds = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return Number(parent) === process.pid && command.includes('--service=')
      } catch {
        // the process has ended meanwhile
        return false
      }
    })
    .map(Number)

const killAll = (): void => {
  for (const pid of esbuilds()) process.kill(pid, 'SIGKILL')
}

const build = (onLoad: () => Promise<string>): Promise<string> => {
  const plugin: Plugin = {
    name: 'test',
    setup: ({ onLoad: load, onResolve }) => {
      onResolve({ filter: /.*/ }, ({ path }) => ({ path, namespace: 'test' }))
      load({ filter: /.*/, namespace: 'test' }, async () => ({ contents: await onLoad() }))
    },
  }
  const options = {
    entryPoints: ['main.js'],
    bundle: true,
    write: false as const,
    plugins: [plugin],
  }
  return buildAlone(async (run) => {
    const { outputFiles } = await run({ ...options, format: 'esm', logLevel: 'silent' })
    return outputFiles[0]?.text ?? ''
  })
}
const good = (): Promise<string> => build(async () => 'console.log(1)')

it('fails a build that crashes the bundler, and starts a new bundler for the next', async () => {
  expect(await good()).toContain('console.log(1)')
  expect(esbuilds()).toHaveLength(1)
  const fatal = build(() => {
    killAll()
    return new Promise(() => undefined)
  })
  const others = Promise.all([good(), good()])
  await expect(fatal).rejects.toThrow(BundlerGaveUp)
  expect(await others).toHaveLength(2)
})

it('does not build again what has crashed the bundler, which would take as long once more', async () => {
  let loads = 0
  const fatal = build(() => {
    loads += 1
    killAll()
    return new Promise(() => undefined)
  })
  await expect(fatal).rejects.toThrow(BundlerGaveUp)
  expect(loads).toBe(1)
})

it('ends a build that is busy for a minute and asks for nothing more, so that the next build begins', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const loads = Promise.withResolvers<void>()
    const busy = build(async () => {
      for (const pid of esbuilds()) process.kill(pid, 'SIGSTOP')
      loads.resolve()
      return 'console.log(1)'
    })
    const refused = expect(busy).rejects.toMatchObject({ reason: 'timeout' })
    const next = good()
    await loads.promise
    vi.advanceTimersByTime(60_000)
    await refused
    expect(await next).toContain('console.log(1)')
  } finally {
    vi.useRealTimers()
    killAll()
  }
})

it('ends a build whose messages take too much memory', async () => {
  // each of the 3,000 messages repeats the line of 21 KB
  const hostile = build(async () => 'a==NaN;'.repeat(3_000))
  await expect(hostile).rejects.toMatchObject({ reason: 'output' })
  expect(await good()).toContain('console.log(1)')
})

it('replaces a bundler that died between two builds', async () => {
  await good()
  killAll()
  // wait until the exit has been noticed
  await expect.poll(esbuilds, { timeout: 5_000 }).toEqual([])
  expect(await good()).toContain('console.log(1)')
})

it('runs builds one after another; a failed one does not affect others', async () => {
  let running = 0
  const counted = async (text: string): Promise<string> => {
    running += 1
    expect(running).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return text
  }
  const results = await Promise.allSettled(
    ['a()', 'broken = = 1', 'b()'].map((text) => build(() => counted(text))),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('runs what must happen before esbuild loads once, ahead of the next build', async () => {
  const order: string[] = []
  beforeEsbuild(() => order.push('prepared'))
  expect(order).toEqual([])
  await buildAlone(async () => order.push('built'))
  await buildAlone(async () => order.push('built'))
  expect(order).toEqual(['prepared', 'built', 'built'])
})

it('prepares again after a preparation that failed, so that esbuild never starts unprepared', async () => {
  let tries = 0
  beforeEsbuild(() => {
    tries += 1
    if (tries === 1) throw new Error('busy')
  })
  await expect(good()).rejects.toThrow('busy')
  expect(await good()).toContain('console.log(1)')
  expect(tries).toBe(2)
})
