// Prints what failed, each with the whole message and the first lines of its stack, and "N passed, N failed" from Vitest's
// report. A gate that failed before the tests, or a test file that did not even load, counts as one failure: nothing that
// failed may read as none. The examples' own tests are counted in.
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

const [status] = process.argv.slice(2)
const reportPath = 'dist/test-report.json'
const unhandledPath = 'dist/test-unhandled.json'
const examplesPath = 'dist/example-tests.tap'

const examples = existsSync(examplesPath) ? readFileSync(examplesPath, 'utf8') : ''
const countOf = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(examples)?.[1] ?? 0)

const report = existsSync(reportPath) ? JSON.parse(readFileSync(reportPath, 'utf8')) : {}
const { testResults = [], numPassedTests = 0, numFailedTests = 0 } = report
const broken = testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
)
const STACK_LINES = 8
/** The message whole, however long; of the stack below it what names the place. */
const linesOf = (why) => {
  let left = STACK_LINES
  return why.split('\n').filter((line) => !/^ +at /.test(line) || left-- > 0)
}
/** The state of the process of a test that ran into its timeout (test/durations/explain-timeout.ts). */
const stateOf = (meta) => (meta?.timeout === undefined ? [] : [JSON.stringify(meta.timeout)])
for (const { name, message, assertionResults } of testResults) {
  const wrong = assertionResults.filter((result) => result.status === 'failed')
  const told = wrong.map(({ fullName, failureMessages, meta }) => ({
    what: fullName,
    why: [...failureMessages, ...stateOf(meta)].join('\n'),
  }))
  if (broken.some((file) => file.name === name)) told.push({ what: 'did not load', why: message })
  for (const { what, why } of told) {
    const lines = linesOf(why).map((line) => `    ${line}\n`)
    process.stdout.write(`failed: ${name}: ${what}\n${lines.join('')}`)
  }
}
const unhandled = existsSync(unhandledPath) ? JSON.parse(readFileSync(unhandledPath, 'utf8')) : []
for (const { message, stack = '' } of unhandled) {
  const lines = linesOf(stack).map((line) => `    ${line}\n`)
  process.stdout.write(`failed: an error that no test caught: ${message}\n${lines.join('')}`)
}
const passed = numPassedTests + countOf('pass')
const failed = numFailedTests + broken.length + countOf('fail')
process.stdout.write(`${passed} passed, ${failed === 0 && status !== '0' ? 1 : failed} failed\n`)
