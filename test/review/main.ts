/**
 * `make review`: figures about this source as tables: sizes of files, comments, documented
 * exports, tests next to source, words that a reader should not have to learn, the files that an
 * addition touches, steps to a rule, and lengths of commit subjects.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ROOT } from '../support/repository.ts'
import { QUESTIONS, stepsTo } from './questions.ts'
import { readSources } from './sources.ts'
import { countWords } from './words.ts'

const LONG_FILE = 300
const SHORT_FILE = 20
const LONG_SUBJECT = 60

const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((1_000 * part) / whole) / 10} %`

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): void => {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`
  process.stdout.write(`${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}\n`)
}

const sources = readSources(ROOT)
const server = sources.filter(({ path }) => !path.startsWith('web/'))

const sizeRow = (name: string, files: typeof sources): readonly (string | number)[] => {
  const code = files.filter(({ isTest }) => !isTest)
  const lines = code.map(({ lines: count }) => count).toSorted((a, b) => a - b)
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0)
  const exported = sum(code.map(({ exportedFunctions }) => exportedFunctions))
  const undocumented = sum(code.map(({ undocumentedFunctions }) => undocumentedFunctions))
  const tests = sum(files.filter(({ isTest }) => isTest).map(({ lines: count }) => count))
  return [
    name,
    code.length,
    sum(lines),
    `${quantile(lines, 0.5)} / ${quantile(lines, 0.9)} / ${lines.at(-1) ?? 0}`,
    percent(lines.filter((count) => count > LONG_FILE).length, lines.length),
    percent(lines.filter((count) => count < SHORT_FILE).length, lines.length),
    percent(sum(code.map(({ commentLines }) => commentLines)), sum(lines)),
    percent(undocumented, exported),
    (tests / Math.max(sum(lines), 1)).toFixed(2),
  ]
}

const moduleOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/')
const modules = [
  ...new Set(sources.filter(({ isTest }) => !isTest).map(({ path }) => moduleOf(path))),
]
const testsOfAll = sources.filter(({ path, isTest }) => isTest && path.startsWith('test/'))

const HEAD = [
  'source',
  'files',
  'lines',
  'median / p90 / max',
  `> ${LONG_FILE} lines`,
  `< ${SHORT_FILE} lines`,
  'comment lines',
  'exported functions without a doc',
  'test : source',
]
table(HEAD, [
  sizeRow('all, with test/', sources),
  sizeRow('without web', server),
  ...modules.toSorted().map((module) =>
    sizeRow(
      module,
      sources.filter(({ path }) => path.startsWith(join(module, '/'))),
    ),
  ),
])
process.stdout.write(
  `test/ has ${testsOfAll.length} test files for all modules; the ratio of a module counts those beside its source.\n\n`,
)

table(
  ['word', 'in comments and texts of source'],
  countWords(sources.filter(({ isTest }) => !isTest)).map(({ word, count }) => [word, count]),
)

const checklists = globSync('docs/checklists/*-kind.md', { cwd: ROOT }).toSorted()
table(
  ['a new …', 'touches files that exist'],
  checklists.map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const name = /^# A new (.*) touches$/m.exec(text)?.[1] ?? path
    return [name, [...text.matchAll(/^\d+\. /gm)].length]
  }),
)

const steps = QUESTIONS.map((each) => ({ ...each, steps: stepsTo(each, server) }))
table(
  ['question', 'rule in', 'files opened'],
  [
    ...steps.map(({ question, path, steps: count }) => [question, path, count]),
    [
      'median',
      '',
      quantile(
        steps.map(({ steps: count }) => count).toSorted((a, b) => a - b),
        0.5,
      ),
    ],
  ],
)

const subjects = execFileSync('git', ['log', '--format=%s', '-n', '200'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .map((subject) => subject.length)
  .toSorted((a, b) => a - b)
table(
  ['last 200 commit subjects', 'median', 'longest', `> ${LONG_SUBJECT} characters`],
  [
    [
      '',
      quantile(subjects, 0.5),
      subjects.at(-1) ?? 0,
      subjects.filter((length) => length > LONG_SUBJECT).length,
    ],
  ],
)
