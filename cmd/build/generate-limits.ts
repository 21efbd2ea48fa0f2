/** Writes docs/limits.md from the calls of `limit` in the sources; `--check` fails if it is stale. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { MIB } from '#core/byte-units.ts'
import { ROOT } from '../root.ts'
import { writeGenerated } from './write-generated.ts'

const DECLARATION = 'internal/core/limit.ts'

const SECTIONS: Readonly<Record<string, string>> = {
  app: 'Apps and deployments',
  job: 'Jobs',
  flow: 'Flows',
  schedule: 'Schedules',
  function: 'Functions',
  state: 'State',
  workspace: 'Workspaces',
  account: 'Accounts',
  git: 'Git sources',
  push: 'git push',
  document: 'Documents',
  durable: 'Durable steps',
  event: 'Events',
  relay: 'Certificate relay',
}

type Limit = Readonly<{ section: string; name: string; value: number; unit: string; text: string }>

const CALL = /\blimit\(\s*'([^']+)',\s*([\d_ *]+),\s*'([^']+)',\s*(['"])(.+?)\4,?\s*\)/g

/** Evaluates literals such as `20 * 1_024 * 1_024`. */
const product = (source: string): number =>
  source
    .replaceAll('_', '')
    .split('*')
    .reduce((value, factor) => value * Number(factor), 1)

const limitsOf = (path: string): readonly Limit[] => {
  const source = readFileSync(resolve(ROOT, path), 'utf8')
  const limits = [...source.matchAll(CALL)].map(
    ([, id = '', value = '', unit = '', , text = '']) => {
      const [section = '', name = ''] = id.split('.')
      return { section, name, value: product(value), unit, text }
    },
  )
  const calls = source.match(/(?<!\w|\.)limit\(\s*'/g)?.length ?? 0
  if (calls !== limits.length) {
    throw new Error(`${path}: a call of limit() has arguments that are no literals.`)
  }
  return limits
}

const grouped = (value: number): string => value.toLocaleString('en-US')

const bytes = (value: number): string => {
  if (value % MIB === 0) return `${grouped(value / MIB)} MiB`
  return value % 1_024 === 0 ? `${grouped(value / 1_024)} KiB` : `${grouped(value)} bytes`
}

const seconds = (value: number): string => {
  if (value % 86_400 === 0) return value === 86_400 ? '1 day' : `${grouped(value / 86_400)} days`
  return value % 60 === 0 ? `${grouped(value / 60)} min` : `${grouped(value)} s`
}

const shown = ({ value, unit }: Limit): string => {
  if (unit === 'bytes') return bytes(value)
  if (unit === 's') return seconds(value)
  if (unit === 'ms') return seconds(value / 1_000)
  return unit === 'items' ? grouped(value) : `${grouped(value)} ${unit}`
}

const tableOf = (section: string, limits: readonly Limit[]): string => {
  const rows = limits
    .filter((limit) => limit.section === section)
    .map((limit) => `| ${limit.text} | ${shown(limit)} |`)
  return [`## ${SECTIONS[section]}`, '', '| Limit | Value |', '|---|---|', ...rows].join('\n')
}

const all = globSync('{internal,cmd}/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('cmd/build/'))
  .filter((path) => path !== DECLARATION)
  .toSorted()
  .flatMap(limitsOf)

const ids = all.map(({ section, name }) => `${section}.${name}`)
const twice = ids.filter((id, at) => ids.indexOf(id) !== at)
if (twice.length > 0) throw new Error(`Limits declared twice: ${twice.join(', ')}.`)
const lost = all.filter(({ section }) => SECTIONS[section] === undefined)
if (lost.length > 0) throw new Error(`Limits of no section: ${lost.map(({ name }) => name)}.`)

writeGenerated(
  resolve(ROOT, 'docs/limits.md'),
  [
    '# Limits',
    '<!-- made by `make generate` from the calls of `limit` in the sources -->',
    'Limits that are the same on every instance. Limits that an operator sets are in the table of settings in [operating.md](operating.md).',
    ...Object.keys(SECTIONS).map((section) => tableOf(section, all)),
    '',
  ].join('\n\n'),
)
