/** A part of `make escape` for every run of the tests: what hostile jobs try against the operating system's confinement. */
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { portOf } from '../support/port-of.ts'
import { isLong } from '../support/runs.ts'
import { tryAttacks } from './attacks.ts'
import { type Canaries, openCanaries } from './canaries.ts'
import { guestProgram } from './guest-program.ts'
import { OUTLIVING, poisonPairs } from './poison.ts'
import { PROBES } from './probes.ts'
import { tryProbes, type Verdict } from './try-probes.ts'
import { WORLDS, type WorldName } from './worlds.ts'

const MINUTES_MS = 240_000

let canaries: Canaries
beforeAll(async () => {
  canaries = await openCanaries(guestProgram())
})
afterAll(() => canaries.close())

const openOnes = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts
    .filter(({ isOpen }) => isOpen === true)
    .map(({ probe, told }) => `${probe.group}, ${probe.name}: ${told}`)

const openIn = async (name: WorldName): Promise<readonly string[]> =>
  openOnes(await tryProbes(WORLDS[name](), canaries))

describe('a hostile job', () => {
  it(
    'gets out by nothing when Deno allows everything',
    async () => {
      expect(await openIn('bubblewrap, Deno’s permissions open')).toEqual([])
    },
    MINUTES_MS,
  )

  it(
    'gets out by most of it where nothing confines it',
    async () => {
      expect((await openIn('no confinement')).length).toBeGreaterThan(PROBES.length * 0.6)
    },
    MINUTES_MS,
  )
})

describe('a job that poisons what may outlive it', () => {
  it.each([true, false])(
    'reaches no job of another key, with processes used again: %s',
    async (reuse) => {
      const server = createServer().listen(0)
      await new Promise((resolve) => server.once('listening', resolve))
      const port = portOf(server)
      server.close()
      const { provider } = WORLDS.bubblewrap()
      const shared = { reuse, guest: guestProgram(), port }
      // without reuse the next job has its own process, so only what outlives a process may reach it
      const report = await poisonPairs(
        provider,
        reuse || isLong
          ? { ...shared, pairs: 28 }
          : { ...shared, pairs: OUTLIVING.length, poisons: OUTLIVING },
      )
      expect([report.leaks, report.failed]).toEqual([[], []])
    },
    MINUTES_MS,
  )
})

describe('a job that writes and keeps all it can', () => {
  it(
    'ends by its own bound, and the event loop of svc goes on',
    async () => {
      const names = [
        'bytes kept in loopback connections',
        'a flood of frames, questions',
        'a flood of frames, empty log',
        'answers that it never reads',
        'a result of a million lists inside each other',
        'a frame of a million lists inside each other',
        'a frame of a million empty lists',
      ]
      const reports = await tryAttacks(WORLDS.bubblewrap().provider, names)
      expect(reports.map(({ name }) => name).sort()).toEqual([...names].sort())
      expect(reports.filter(({ isFine }) => !isFine)).toEqual([])
    },
    MINUTES_MS,
  )
})
