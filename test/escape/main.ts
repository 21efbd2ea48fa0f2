/**
 * `make escape`: runs hostile jobs under every provider, and prints a table of what succeeded. Fails if anything is open at
 * level os, if a job leaks into another, or if an attack on resources does not end as it should. `ONLY=bubblewrap,deno`
 * tries some providers, `PAIRS=50` fewer pairs.
 */
import { createServer } from 'node:net'
import process from 'node:process'
import { portOf } from '../support/port-of.ts'
import { ATTACKS, type AttackReport, tryAttacks } from './attacks.ts'
import { openCanaries } from './canaries.ts'
import { guestProgram } from './guest-program.ts'
import { type PoisonReport, poisonPairs } from './poison.ts'
import { PROBES } from './probes.ts'
import { tryProbes, type Verdict } from './try-probes.ts'
import { WORLDS, type WorldName } from './worlds.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const isName = (name: string): name is WorldName => name in WORLDS

const wanted = process.env.ONLY?.split(',').map((name) => name.trim())
const names = Object.keys(WORLDS).filter(
  (name): name is WorldName =>
    isName(name) && (wanted === undefined || wanted.some((each) => name.startsWith(each))),
)
const pairs = Number(process.env.PAIRS ?? '200')
/** Maximum peak of the guest in MB: the limit, the runtime's share of 64 MB, and a quarter more. */
const MOST_MB = (128 + 64) * 1.25

const faults: string[] = []
const markOf = ({ isOpen }: Verdict): string => (isOpen === null ? '·' : isOpen ? 'OPEN' : 'closed')

const column = (title: string, cells: readonly string[]): void => {
  say(`\n## ${title}\n`)
  for (const cell of cells) say(cell)
}

const guest = guestProgram()
const canaries = await openCanaries(guest)
const verdicts = new Map<WorldName, readonly Verdict[]>()
for (const name of names) verdicts.set(name, await tryProbes(WORLDS[name](), canaries))
canaries.close()

column('Probes', [
  `| probe | ${names.join(' | ')} |`,
  `|---|${names.map(() => '---').join('|')}|`,
  ...PROBES.map((probe, at) => {
    const cells = names.map((name) => {
      const verdict = verdicts.get(name)?.[at]
      return verdict === undefined ? '' : markOf(verdict)
    })
    return `| ${probe.group}: ${probe.name} | ${cells.join(' | ')} |`
  }),
])
for (const name of names) {
  const open = (verdicts.get(name) ?? []).filter(({ isOpen }) => isOpen === true)
  say(`\n${name}: ${open.length} of ${PROBES.length} open`)
  if (!name.startsWith('bubblewrap')) continue
  for (const { probe, told } of open) faults.push(`${name}: ${probe.group}, ${probe.name}: ${told}`)
}

const describePairs = (name: string, reuse: boolean, report: PoisonReport): string => {
  const mode = reuse ? 'reuse' : 'fresh'
  for (const { poison, found } of [...report.leaks, ...report.failed]) {
    faults.push(`${name}, ${mode}: ${poison} leaked or failed: ${found}`)
  }
  return `| ${name} | ${mode} | ${report.pairs} | ${report.leaks.length} | ${report.failed.length} |`
}
const rows: string[] = []
const portServer = createServer().listen(0)
await new Promise((resolve) => portServer.once('listening', resolve))
const port = portOf(portServer)
portServer.close()
for (const name of names.filter((each) => each.startsWith('bubblewrap') || each === 'deno')) {
  for (const reuse of [true, false]) {
    const { provider } = WORLDS[name]()
    rows.push(
      describePairs(name, reuse, await poisonPairs(provider, { pairs, reuse, guest, port })),
    )
  }
}
column('Poisoned pairs', [
  '| provider | processes | pairs | leaks | failed |',
  '|---|---|---|---|---|',
  ...rows,
])

const describeAttack = (name: string, report: AttackReport): string => {
  if (!report.isFine) faults.push(`${name}: ${report.name} ended as ${report.ended}`)
  if (name === 'bubblewrap' && report.peakMb > MOST_MB) {
    faults.push(`${name}: ${report.name} used ${report.peakMb.toFixed(0)} MB`)
  }
  return `| ${name} | ${report.name} | ${report.ended} | ${report.ms.toFixed(0)} | ${report.peakMb.toFixed(0)} | ${report.hostGrewMb.toFixed(0)} | ${report.stallMs.toFixed(0)} |`
}
const attacked: string[] = []
for (const name of names.filter((each) => each === 'bubblewrap' || each === 'deno')) {
  for (const report of await tryAttacks(WORLDS[name]().provider)) {
    attacked.push(describeAttack(name, report))
  }
}
column(`Attacks (${ATTACKS.length}, limit 128 MB and 64 MB for the runtime)`, [
  '| provider | attack | ended as | ms | peak MB | svc grew MB | longest stall ms |',
  '|---|---|---|---|---|---|---|',
  ...attacked,
])

say('')
for (const fault of faults) say(`FAULT ${fault}`)
say(faults.length === 0 ? 'Nothing got out.' : `${faults.length} faults.`)
process.exit(faults.length === 0 ? 0 : 1)
