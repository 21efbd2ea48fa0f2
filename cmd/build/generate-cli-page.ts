/** Writes docs/cli.md from the help of the commands; `--check` fails if it is stale. */
import { resolve } from 'node:path'
import yargs from 'yargs'
import { addCommands, shownCommands } from '../svc/commands.ts'
import { writeGenerated } from './write-generated.ts'

/** @returns the help, with one line per command and option */
const helpOf = async (words: readonly string[]): Promise<string> => {
  let help = ''
  await addCommands(yargs().scriptName('svc'))
    .strict()
    .detectLocale(false)
    .exitProcess(false)
    .showHelpOnFail(false)
    .alias({ help: 'h', version: 'v' })
    .wrap(null)
    .parseAsync([...words, '--help'], {}, (_error: unknown, _argv: unknown, output: string) => {
      help = output
    })
  return help
}

/** The lines between a heading of the help and the next empty line. */
const linesBelow = (help: string, heading: string): readonly string[] => {
  const lines = help.split('\n')
  const at = lines.indexOf(`${heading}:`)
  if (at === -1) return []
  const end = lines.indexOf('', at)
  return lines.slice(at + 1, end === -1 ? lines.length : end).map((line) => line.trim())
}

const columns = (line: string): readonly string[] => line.split(/\s{2,}|\t/).filter(Boolean)

const cell = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('|', '\\|')

/** Matches a note such as `[default: 20]`; the note of a list may be `[default: []]`. */
const NOTE = /\s*\[(?:[^[\]]|\[\])*\]/g

/** Turns notes such as `[string] [default: 20]` after the text into a sentence in brackets. */
const meaningOf = (parts: readonly string[]): string => {
  const notes = parts.join(' ').match(NOTE) ?? []
  const text = parts.join(' ').replaceAll(NOTE, '').trim()
  const shown = notes
    .map((note) => note.trim().slice(1, -1))
    .filter((note) => !['string', 'boolean', 'array', 'number', 'count'].includes(note))
    .filter((note) => note !== 'default: false' && note !== 'default: []')
  return cell(shown.length === 0 ? text : `${text} (${shown.join('; ')})`)
}

/** Options that every command has. */
const COMMON = /^(-h, --help|-v, --version)\b/

const tableOf = (lines: readonly string[]): readonly string[] => {
  const rows = lines
    .filter((line) => !COMMON.test(line))
    .map(columns)
    .map(([name = '', ...rest]) => `| \`${name.replaceAll('|', '\\|')}\` | ${meaningOf(rest)} |`)
  return rows.length === 0 ? [] : [['| | |', '|---|---|', ...rows].join('\n')]
}

type Described = Readonly<{ usage: string; describe: string }>

/** The subcommands of a command, as its help lists them. */
const ownCommands = (help: string): readonly Described[] =>
  linesBelow(help, 'Commands')
    .map(columns)
    .map(([usage = '', describe = '']) => ({ usage: usage.replace(/^svc /, ''), describe }))

const sectionOf = async ({ usage, describe }: Described, depth: number): Promise<string> => {
  const words = usage.split(' ').filter((word) => /^[a-z]/.test(word))
  const help = await helpOf(words)
  const own = ownCommands(help).filter((each) => each.usage !== usage)
  const hasSettings = help.includes('Settings (a flag wins over the environment):')
  const examples = linesBelow(help, 'Examples')
  const parts = [
    `${'#'.repeat(depth)} \`svc ${usage}\``,
    `${describe}.${hasSettings ? ' Takes [settings](operating.md#settings) as flags.' : ''}`,
    ...tableOf([...linesBelow(help, 'Positionals'), ...linesBelow(help, 'Options')]),
    ...(examples.length === 0 ? [] : [`\`\`\`text\n${examples.join('\n')}\n\`\`\``]),
  ]
  const below: string[] = []
  for (const each of own) below.push(await sectionOf(each, depth + 1))
  return [...parts, ...below].join('\n\n')
}

const sections: string[] = []
for (const [usage, describe] of shownCommands()) {
  sections.push(await sectionOf({ usage, describe }, 2))
}

writeGenerated(
  resolve(import.meta.dirname, '../../docs/cli.md'),
  `# The command line

<!-- made by \`make generate\` from the help of the commands -->

\`svc --help\` lists the commands, and \`svc <command> --help\` prints the text of this page. Commands that call a server read its address
from \`SVC_URL\` and the credential from \`SVC_TOKEN\`, or use \`svc login\`. The exit code is 0 on success, 1 on failure, 2 if the
command line is wrong and 130 if Ctrl-C ended a command that waits (\`run\`, \`flows run --wait\`).

## In scripts

With \`--json\`, a command prints one JSON document to standard output, or \`{"error", "code"}\` to standard error if it fails:

\`\`\`sh
svc jobs --status failure --json | jq -r '.items[].id'           # ids, one a line
svc jobs --status failure --json | jq '.items | group_by(.app) | map({app: .[0].app, failed: length})'
svc run shop/refund --input '{"order":7}' --wait --json | jq .result
svc jobs show "$id" --json 2>error.json || jq -r .code error.json
\`\`\`

\`svc completion >> ~/.bashrc\` (or \`~/.zshrc\`; \`svc completion fish > ~/.config/fish/completions/svc.fish\`) completes commands, flags, and
names and ids of the server: \`svc run sh<Tab>\`, \`svc logs <Tab>\`. The Debian package installs it.

${sections.join('\n\n')}
`,
)
