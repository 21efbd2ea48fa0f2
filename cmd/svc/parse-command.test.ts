import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parserResponseSchema } from '#registry/schema/document.ts'
import { sampleCertificate } from '../../test/support/sample-certificate.ts'
import { CHILD_ENV, PROGRAM } from '../../test/support/svc-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-parse-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'certificate.pdf'), sampleCertificate())
writeFileSync(join(folder, 'letter.pdf'), 'Dear reader')

const [COMMAND = '', ...BEFORE] = PROGRAM
const parse = (...args: readonly string[]) =>
  spawnSync(COMMAND, [...BEFORE, 'parse', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: CHILD_ENV,
  })

test('a certificate is shown to a person: what it is, who owns it, what weighs on it', () => {
  const { stdout, stderr, status } = parse('registry', 'certificate.pdf')
  expect([stderr, status]).toEqual(['', 0])
  expect(stdout).toMatch(/kind +집합건물/)
  expect(stdout).toMatch(/number +\d{4}-\d{4}-\d{6}/)
  expect(stdout).toContain('갑구 (ownership)')
  expect(stdout).toContain('을구 (other rights)')
})

test('and to a program as the API answers it', () => {
  const { stdout, status } = parse('registry', 'certificate.pdf', '--json')
  expect(status).toBe(0)
  expect(parserResponseSchema.parse(JSON.parse(stdout)).data.section_a.length).toBeGreaterThan(0)
})

test('a picture shows what was seen where', () => {
  const { stderr, stdout, status } = parse('registry', 'certificate.pdf', '--overlay', 'seen.pdf')
  expect([stderr, status]).toEqual(['', 0])
  expect(stdout).toContain('seen.pdf')
  const seen = readFileSync(join(folder, 'seen.pdf'))
  expect(seen.subarray(0, 5).toString()).toBe('%PDF-')
  expect(seen.length).toBeGreaterThan(readFileSync(join(folder, 'certificate.pdf')).length)
})

test.each([
  { args: ['registry', 'letter.pdf'], sentence: 'This is not a PDF.', status: 2 },
  {
    args: ['registry', 'nowhere.pdf'],
    sentence: 'There is no file nowhere.pdf. Check its name.',
    status: 1,
  },
  { args: ['registry'], sentence: 'Missing: ', status: 2 },
])('$args answers: $sentence', ({ args, sentence, status }) => {
  const made = parse(...args)
  expect(made.stderr).toContain(sentence)
  expect([made.stdout, made.status]).toEqual(['', status])
})
