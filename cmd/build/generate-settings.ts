/** Writes the table of settings in docs/operating.md from the schema; `--check` fails if it is stale. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { documentSettings } from '../../internal/config/describe-config.ts'
import { writeGenerated } from './write-generated.ts'

const BEGIN = '<!-- settings: made by `make generate` from internal/config/schema.ts -->'
const END = '<!-- end of settings -->'

const path = resolve(import.meta.dirname, '../../docs/operating.md')

const rows = documentSettings().map(({ env, flag, defaultText, sentence, range, isSecret }) => {
  const name = env.replaceAll(' or ', '` or `')
  const shownFlag = flag === null ? '' : `\`${flag}\``
  const bounds = range === null ? '' : ` From ${range.least} to ${range.most}.`
  const notes = `${bounds}${isSecret ? ' Secret.' : ''}`
  return `| \`${name}\` | ${shownFlag} | ${defaultText.replaceAll('<', '&lt;')} | ${sentence.replaceAll('<', '&lt;')}${notes} |`
})

const table = ['| Environment | Flag | Default | Meaning |', '|---|---|---|---|', ...rows].join(
  '\n',
)

const document = readFileSync(path, 'utf8')
const from = document.indexOf(BEGIN)
const to = document.indexOf(END)
if (from === -1 || to < from) throw new Error(`${path} has no marks around the table of settings.`)

writeGenerated(
  path,
  `${document.slice(0, from + BEGIN.length)}\n\n${table}\n\n${document.slice(to)}`,
)
