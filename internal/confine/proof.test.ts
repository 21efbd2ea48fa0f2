import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createProof, createTrials, type Trials } from './proof.ts'

type Outcome = ReturnType<Trials['now']>

const BUSY = { kind: 'unavailable', retryAfterS: 10 }

describe('the proof', () => {
  const prove = (...outcomes: readonly Outcome[]) => {
    let clock = 0
    let tries = 0
    const next = (): Outcome => {
      tries += 1
      return outcomes[tries - 1] ?? 'busy'
    }
    const trials = { now: next, later: async () => next() }
    return {
      proof: createProof(trials, () => clock),
      tries: () => tries,
      pass: (ms: number) => {
        clock += ms
      },
    }
  }

  it.each([
    ['works', true],
    ['refused', false],
  ] as const)('keeps that a trial %s', async (outcome, holds) => {
    const { proof, tries } = prove(outcome)
    expect([proof.holds(), proof.holds()]).toEqual([holds, holds])
    expect(tries()).toBe(1)
  })

  it('refuses programs after a trial on a busy machine, and tries again every 10 s', async () => {
    const { proof, tries, pass } = prove('busy', 'busy', 'works')
    const refuses = (): void => expect(() => proof.holds()).toThrow(expect.objectContaining(BUSY))
    refuses()
    refuses()
    expect(tries()).toBe(1)
    pass(10_000)
    refuses()
    refuses()
    await expect.poll(tries).toBe(2)
    refuses()
    pass(10_000)
    refuses()
    await expect.poll(() => tries() === 3 && proof.holds()).toBe(true)
  })
})

describe('a trial', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })
  const tryBoth = async (script: string, timeoutMs?: number): Promise<readonly Outcome[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-proof-'))
    folders.push(folder)
    const path = join(folder, 'bwrap')
    writeFileSync(
      path,
      `#!/bin/sh\n[ "$1" = --version ] && exec echo bubblewrap 0.9.0\n${script}\n`,
    )
    chmodSync(path, 0o755)
    const trials = createTrials([path], [], timeoutMs)
    return [trials.now(), await trials.later()]
  }

  it.each([
    ['works', 'exit 0', 'works'],
    ['ends with a status', 'echo No permissions to create new namespace >&2; exit 1', 'refused'],
    ['finds no room', 'echo Resource temporarily unavailable >&2; exit 1', 'busy'],
  ] as const)('that %s: %s', async (_name, script, outcome) => {
    expect(await tryBoth(script)).toEqual([outcome, outcome])
  })

  it('that takes too long proves nothing', async () => {
    expect(await tryBoth('exec sleep 10', 30)).toEqual(['busy', 'busy'])
  })
})
