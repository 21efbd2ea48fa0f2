/** The console's Korean for sentences of the server. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { explainIssue } from '#core/explain-issue.ts'
import { FORMER_RUNS } from '#core/schedule/overlap.ts'
import { parseTiming } from '#core/schedule/timing.ts'
import { STATUSES } from '#http/error.ts'
import { ERROR_CODES } from '#http/reference/errors.gen.ts'
import { KOREAN_ERRORS } from '../web/src/language/korean-errors.ts'
import { toFailure, toRefusal, toServerSentence } from '../web/src/language/server-sentence.ts'
import { KOREAN_FINDINGS } from '../web/src/pages/parser/korean-findings.ts'

/** Codes that no page of the console receives: those of commands, git, customers, functions, phones and sign-in by a provider. */
const ELSEWHERE = new Set(
  `
  already_uploaded answered_before backup_bad_key backup_clock_skew backup_denied backup_failed
  backup_no_bucket backup_no_key backup_not_verified backup_place_failed backup_place_unreachable
  backup_refused backup_stopped backup_too_new backup_unusable backup_wrong_region bad_link bad_logout_token
  bad_period bad_ref bad_settings bad_signature bad_target bad_workspace busy caller_gone cell_not_named
  code_not_found database_in_use database_not_empty database_url default_branch empty_filter foreign_origin
  function_failed function_timeout idempotency_mismatch import_differs instance_key_changed
  invalid_step_result invalid_token jobs_running link_not_found malformed_form missing_scope move_differs
  move_ended no_account no_app no_bundle no_email no_git no_main not_a_file not_an_admin not_granted
  oidc_denied oidc_failed oidc_off oidc_state oidc_unreachable other_move passphrase schema_differs
  sign_in_first stale_ref state_conflict state_full state_too_deep state_too_large step_result_too_large
  super_admin_only taken_there there_already too_many_refs too_many_sessions too_many_sockets too_many_starts
  too_many_steps unknown_cell unknown_field user_code_not_found view_token_ended workspace_file_unreadable
  would_overwrite
  `.split(/\s+/),
)

/** Codes of the server that the list of errors lacks, because variables hold them. */
const UNLISTED = ['no_text_layer', 'nothing_recognised', 'tag_not_allowed', 'unsupported_document']

const ROOT = resolve(import.meta.dirname, '..')

const BAD_TIMINGS = [
  ...['61 * * * *', '0 25 * * *', '0 0 32 * *', '0 0 1 13 *', '0 0 * * 9', 'a b c d e', '* * *'],
  ...['0 * * * * *', '@often', '@every x', '@every 1ms', '@every 9999999h', '0 0 31 2 *'],
]

const CODES = ERROR_CODES.map(([code]) => code)

test('each code that the console translates is one of the server', () => {
  const known = new Set([...CODES, ...UNLISTED, ...Object.keys(STATUSES)])
  expect(Object.keys(KOREAN_ERRORS).filter((code) => !known.has(code))).toEqual([])
})

test('each code of the server is translated, or no page receives it', () => {
  expect(CODES.filter((code) => !(code in KOREAN_ERRORS || ELSEWHERE.has(code)))).toEqual([])
})

test('each warning of the parser is translated', () => {
  const reference = readFileSync(resolve(ROOT, 'docs/reference/documents.md'), 'utf8')
  const [, table = ''] = reference.split('**13.3**')
  const [rows = ''] = table.split('**13.4**')
  const codes = [...rows.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(([, code = '']) => code)
  expect(codes.filter((code) => !(code in KOREAN_FINDINGS))).toEqual([])
  expect(Object.keys(KOREAN_FINDINGS).filter((code) => !codes.includes(code))).toEqual([])
})

test('a sentence of the server is left out, or follows where it has details', () => {
  expect(toRefusal('queue_full', '5 jobs …', 'ko')).toMatch(/다시 시도하세요\.$/)
  expect(toRefusal('app_not_found', 'App "a" not found.', 'ko')).toMatch(/: App "a" not found\.$/)
  expect(toRefusal('queue_full', '5 jobs …', 'en')).toBe('5 jobs …')
  expect(toRefusal('constructor', 'A new one.', 'ko')).toBe('A new one.')
  expect(toFailure('Timeout', 'The job ran …', 'ko')).toBe('제한 시간을 넘겼습니다. The job ran …')
  expect(toFailure('Custom', 'It broke.', 'ko')).toBe('It broke.')
})

test('faults of fields and reasons of schedules are Korean', () => {
  const schema = z.strictObject({
    key: z.string().min(1),
    name: z.string().min(3).max(5),
    email: z.email(),
    count: z.int().max(5),
    kind: z.enum(['a', 'b']),
    list: z.array(z.string()).min(1),
  })
  const value = { key: '', name: 'ab', email: 'a', count: 6, kind: 'c', list: [] }
  const texts = [value, {}, { ...value, name: 1, count: 'a', list: 'a' }].flatMap(
    (each) =>
      schema.safeParse(each, { error: explainIssue }).error?.issues.map(({ message }) => message) ??
      [],
  )
  expect(texts.length).toBeGreaterThan(15)
  const sentences = [
    ...texts,
    FORMER_RUNS,
    'must have at most 500 items.',
    ...BAD_TIMINGS.map((cron) => parseTiming(cron, 'UTC').fault?.message ?? cron),
    parseTiming('* * * * *', 'Nowhere').fault?.message ?? '',
    'It never fires again.',
    'The action hello/greet no longer exists.',
  ]
  expect(sentences.filter((text) => !/[가-힣]/.test(toServerSentence(text, 'ko')))).toEqual([])
  expect(sentences.map((text) => toServerSentence(text, 'en'))).toEqual(sentences)
})
