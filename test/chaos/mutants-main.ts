/**
 * `make chaos-mutants`: plants a fault into a copy of the source, builds it and runs chaos on it until an invariant breaks,
 * and prints which one and after how long. Then it continues with the next fault. First comes a control: the unchanged
 * source, which must break no invariant in the same time. MUTANT_SECONDS each (120), SEED=number,number, BACKEND=sqld or
 * cells, ONLY=name,name. Exits with 1 if a fault was not found with each seed, or if the control broke an invariant.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { FLEET_BACKENDS } from '../e2e/fleet-databases.ts'
import { ROOT } from '../support/repository.ts'
import { isBroken } from './audit/finding.ts'
import { runChaos } from './chaos.ts'
import { MUTANTS, type Mutant, plant } from './mutants.ts'

/** Build results are left out, because each mutant is built from its own source. Packages are linked. */
const LEFT_OUT = ['.git', 'dist', 'node_modules']
/** The built console, because its source stays unchanged. */
const BUILT = join('dist', 'web')

const fleetBackend = z.enum(FLEET_BACKENDS)
const seconds = Number(process.env.MUTANT_SECONDS ?? 120)
const seeds = (process.env.SEED ?? String(Date.now() % 1_000_000)).split(',').map(Number)
const backend = fleetBackend.catch('file').parse(process.env.BACKEND)
const only = process.env.ONLY?.split(',')

const copySource = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'svc-mutants-'))
  const left = LEFT_OUT.map((name) => join(ROOT, name))
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !left.includes(path) })
  cpSync(join(ROOT, BUILT), join(copy, BUILT), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** @returns the binary with the fault in it */
const buildIn = (copy: string): string => {
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  execFileSync(process.execPath, [join(copy, 'cmd', 'build', 'main.ts')], { stdio: [...stdio] })
  return join(copy, 'dist', 'svc')
}

type Found = Readonly<{
  mutant: Mutant
  seed: number
  by: string
  what: string
  afterS: number | null
}>

const hunt = async (program: string, mutant: Mutant, seed: number): Promise<Found> => {
  const { findings, brokenAfterS } = await runChaos({
    // faults in cells show only in a run over cells
    backend: mutant.needsCells === true ? 'cells' : backend,
    seconds,
    seed,
    program: [program],
    stopsAtFirst: true,
    onFault: (text) => {
      if (process.env.VERBOSE !== undefined) process.stdout.write(`  ${text}\n`)
    },
  })
  // too little progress does not count as finding the fault
  const broken = findings.filter(isBroken).filter(({ invariant }) => invariant !== 'I18')
  const [first] = broken
  const by = broken.map(({ invariant }) => invariant)
  return {
    mutant,
    seed,
    by: [...new Set(by)].join(', '),
    what: first === undefined ? '' : `${first.what}: ${first.violations[0]}`,
    afterS: first === undefined ? null : brokenAfterS,
  }
}

/** Shows that a broken invariant comes from the fault, not from the harness. */
const CONTROL: Mutant = { name: 'unchanged', what: 'nothing (the control)', edits: [] }

const copy = copySource()
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
const found: Found[] = []
process.stdout.write(`chaos over ${backend}, up to ${seconds} s a fault, seeds ${seeds.join()}\n`)
for (const mutant of [CONTROL, ...MUTANTS].filter(({ name }) => only?.includes(name) ?? true)) {
  const remove = plant(copy, mutant)
  try {
    const program = buildIn(copy)
    for (const seed of seeds) {
      const one = await hunt(program, mutant, seed)
      found.push(one)
      const after = one.afterS === null ? 'NOT FOUND' : `${one.afterS.toFixed(0)} s, ${one.by}`
      process.stdout.write(`${mutant.name}, seed ${seed}: ${after}\n  ${one.what.slice(0, 400)}\n`)
    }
  } finally {
    remove()
  }
}
process.stdout.write('\n| What svc no longer does | seed | found by | after |\n|---|---|---|---|\n')
for (const { mutant, seed, by, afterS } of found) {
  const after = afterS === null ? 'not found' : `${afterS.toFixed(0)} s`
  process.stdout.write(
    `| \`${mutant.name}\`: ${mutant.what} | ${seed} | ${by || '–'} | ${after} |\n`,
  )
}
const isAsExpected = ({ mutant, afterS }: Found): boolean =>
  (mutant === CONTROL) === (afterS === null)
process.exit(found.every(isAsExpected) ? 0 : 1)
