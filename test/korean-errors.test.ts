/** The console's Korean for sentences of the server. */
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ALL_SCOPES } from '#core/access/scope.ts'
import { type ActionDefinition, actionSchema } from '#core/action/definition.ts'
import { notFound } from '#core/error.ts'
import { explainIssue } from '#core/explain-issue.ts'
import { parseCondition } from '#core/flow/condition/parse.ts'
import { actionInputFault, inputFault } from '#core/flow/input-fault.ts'
import { checkSchema } from '#core/json-schema/check-schema.ts'
import { evaluate } from '#core/json-schema/evaluate.ts'
import { type Faults, toDetails } from '#core/json-schema/run.ts'
import { FORMER_RUNS } from '#core/schedule/overlap.ts'
import { parseTiming } from '#core/schedule/timing.ts'
import { REASONS, unreachable } from '#git/failure.ts'
import { STATUSES } from '#http/error.ts'
import { ERROR_CODES } from '#http/reference/errors.gen.ts'
import { AUDIT_ACTIONS } from '../web/src/audit/actions.ts'
import { KOREAN_ERRORS } from '../web/src/language/korean-errors.ts'
import { KOREAN_FAILURES } from '../web/src/language/korean-failures.ts'
import { KOREAN_SENTENCES } from '../web/src/language/korean-sentences.ts'
import { toFailure, toRefusal, toServerSentence } from '../web/src/language/server-sentence.ts'
import { KOREAN_FINDINGS } from '../web/src/pages/parser/korean-findings.ts'
import { KOREAN_SCOPES } from '../web/src/pages/tokens/korean-scopes.ts'
import { faultsOfManifests } from './support/bad-manifests.ts'
import { BAD_CONDITIONS, madeFailures, WRITTEN_FAILURES } from './support/failure-sentences.ts'
import { ROOT, readSource } from './support/repository.ts'

/** Codes that no page of the console receives: those of commands, git, customers, functions, phones and sign-in by a provider. */
const ELSEWHERE = new Set(
  `
  already_uploaded answered_before app_deleted approver_removed backup_bad_key backup_clock_skew backup_denied backup_failed
  backup_no_bucket backup_no_key backup_not_verified backup_place_failed backup_place_unreachable
  backup_refused backup_stopped backup_too_new backup_unusable backup_wrong_region bad_link bad_logout_token
  bad_period bad_ref bad_settings bad_signature bad_target bad_workspace busy caller_gone canceled cell_not_named
  code_not_found database_in_use database_not_empty database_url default_branch empty_filter foreign_origin
  function_failed function_timeout idempotency_mismatch import_differs instance_key_changed
  invalid_step_result invalid_token jobs_running link_not_found malformed_form missing_scope move_differs
  move_ended no_account no_workspace_to_join no_app no_bundle no_email no_git no_main not_a_file nothing_to_cancel not_an_admin not_granted
  oidc_denied oidc_failed oidc_off oidc_state oidc_unreachable other_move passphrase schema_differs
  sign_in_first stale_ref state_conflict state_full state_too_deep state_too_large step_result_too_large
  super_admin_only taken_there there_already too_many_refs too_many_sessions too_many_sockets too_many_starts
  too_many_steps too_much_held unknown_cell unknown_field user_code_not_found view_token_ended workspace_file_unreadable
  would_overwrite
  `.split(/\s+/),
)

/** Codes of the server that the list of errors lacks, because variables hold them. */
const UNLISTED = ['no_text_layer', 'nothing_recognised', 'tag_not_allowed', 'unsupported_document']

const BAD_TIMINGS = [
  ...['61 * * * *', '0 25 * * *', '0 0 32 * *', '0 0 1 13 *', '0 0 * * 9', 'a b c d e', '* * *'],
  ...['0 * * * * *', '@often', '@every x', '@every 1ms', '@every 9999999h', '0 0 31 2 *'],
]

/** A schema for an input, and a value with each fault that a schema can find. */
const INPUT_SCHEMA = {
  required: ['gone'],
  additionalProperties: false,
  properties: {
    text: { type: 'string' },
    number: { type: 'number' },
    whole: { type: 'integer' },
    flag: { type: 'boolean' },
    list: { type: 'array' },
    object: { type: 'object' },
    never: false,
    choice: { enum: ['a', 'b'] },
    small: { minimum: 5, exclusiveMinimum: 5, multipleOf: 2 },
    large: { maximum: 5, exclusiveMaximum: 5 },
    short: { minLength: 2 },
    long: { maxLength: 1, pattern: '^a$', format: 'email' },
    few: { minItems: 3, uniqueItems: true },
    many: { maxItems: 1 },
    thin: { minProperties: 1 },
    wide: { maxProperties: 0 },
    fixed: { const: 'a' },
    agreed: { const: true },
    nullable: { type: ['string', 'null'] },
    several: { type: ['boolean', 'array', 'integer'] },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    single: { oneOf: [{ type: 'string' }, { type: 'null' }] },
    twofold: { oneOf: [{ minimum: 0 }, { type: 'number' }] },
    other: { not: { type: 'number' } },
    holding: { contains: { type: 'string' } },
    mostly: { contains: { type: 'number' }, maxContains: 1 },
  },
}
const BAD_INPUT = {
  ...{ text: 1, number: 'a', whole: 0.5, flag: 1, list: 1, object: 1, never: 1, choice: 'c' },
  ...{ small: 1, large: 7, short: 'a', long: 'bb', few: [1, 1], many: [1, 2], thin: {} },
  ...{ wide: { a: 1 }, unknown: 1, fixed: 'b', agreed: false, nullable: 1, several: 'a' },
  ...{ either: 1, single: 1, twofold: 1, other: 1, holding: [1], mostly: [1, 2] },
}

const faultsOfInput = (): readonly string[] => {
  const checked = checkSchema(INPUT_SCHEMA)
  if (!checked.ok) throw new Error(`The schema is refused: ${JSON.stringify(checked.faults)}`)
  const faults: Faults = []
  const run = { schema: checked.schema, faults, maxFaults: 99, steps: 99_999, depth: 0 }
  evaluate(run, checked.schema.root, { value: BAD_INPUT, path: [], faults })
  return toDetails(faults, 99).map(({ message }) => message)
}

const faultsOfRequest = (): readonly string[] => {
  const text = z.string()
  const schema = z.strictObject({
    url: z.url(),
    date: z.iso.date(),
    mail: z.email(),
    whole: z.int(),
    odd: z.string().refine(() => false),
    gone: text,
    empty: text.min(1),
  })
  const value = { url: 'a', date: 'a', mail: 'a', whole: 'a', odd: '', empty: '' }
  const { error } = schema.safeParse(value, { error: explainIssue })
  return error?.issues.map(({ message }) => message) ?? []
}

/** Why steps of a flow cannot run with their input: by the schema, by each key, and without their action. */
const faultsOfSteps = (): readonly string[] => {
  const address = { ws: 'default', app: 'a' }
  const actionOf = (fields: object): ActionDefinition =>
    actionSchema.parse({ key: 'greet', entrypoint: 'greet.ts', ...fields })
  const key = '$'.concat('{input.customer}')
  const keyed = actionOf({ rate: { limit: 1, perS: 1, key } })
  const target = { kind: 'action', key: 'gone' } as const
  return [
    ...faultsOfInput().map((message) =>
      actionInputFault(address, actionOf({}), {}, [{ path: 'user.name', message }]),
    ),
    actionInputFault(address, keyed, {}),
    actionInputFault(address, keyed, { customer: 'long'.repeat(1_000) }),
    inputFault({ ...address, actions: new Map(), flows: new Map() }, { target, input: {} }),
  ].map((fault) => fault?.message ?? '')
}

/** Returns the code of the server with 5 and with `a` in the place of each expression in a text. */
const readServer = (): readonly string[] => {
  const files = globSync('internal/**/*.ts', { cwd: ROOT }).filter(
    (file) => !/\.(?:test|gen)\.ts$/.test(file),
  )
  const code = files.map((file) => readSource(file)).join('\n')
  return ['5', 'a'].map((value) => code.replaceAll(/\$\{[^}]*\}/g, value))
}

/** What the page of a git source shows of its last sync. */
const faultsOfSyncs = (): readonly string[] =>
  ERROR_CODES.flatMap(([, , sentences]) => sentences)
    .filter((text) => /^The git source (?!could)|first-level|apps in …/.test(text))
    .map((text) => text.replaceAll('…', '5'))

const CODES = ERROR_CODES.map(([code]) => code)

test('each code that the console translates is one of the server', () => {
  const known = new Set([...CODES, ...UNLISTED, ...Object.keys(STATUSES)])
  expect(Object.keys(KOREAN_ERRORS).filter((code) => !known.has(code))).toEqual([])
})

test('each code of the server is translated, or no page receives it', () => {
  expect(CODES.filter((code) => !(code in KOREAN_ERRORS || ELSEWHERE.has(code)))).toEqual([])
})

test('each warning of the parser is translated', () => {
  const reference = readSource('docs/reference/documents.md')
  const [, table = ''] = reference.split('**13.3**')
  const [rows = ''] = table.split('**13.4**')
  const codes = [...rows.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(([, code = '']) => code)
  expect(codes.filter((code) => !(code in KOREAN_FINDINGS))).toEqual([])
  expect(Object.keys(KOREAN_FINDINGS).filter((code) => !codes.includes(code))).toEqual([])
})

test('a sentence of the server is left out, or follows where it has details', () => {
  expect(toRefusal('queue_full', '5 jobs …', 'ko')).toMatch(/다시 시도하세요\.$/)
  expect(toRefusal('app_not_found', 'App "a" not found.', 'ko')).toBe('앱을 찾을 수 없습니다: a')
  const { message } = notFound('Flow "f" of app "a"')
  expect(toRefusal('flow_not_found', message, 'ko')).toMatch(/: a\/f$/)
  expect(toRefusal('bad_host', 'A new one.', 'ko')).not.toContain('A new one.')
  expect(toRefusal('bad_key', 'A new one.', 'ko')).toMatch(/: A new one\.$/)
  expect(toRefusal('queue_full', '5 jobs …', 'en')).toBe('5 jobs …')
  expect(toRefusal('constructor', 'A new one.', 'ko')).toBe('A new one.')
  expect(toFailure('Timeout', 'The job ran …', 'ko')).toBe('제한 시간을 넘겼습니다. The job ran …')
  expect(toFailure('Custom', 'It broke.', 'ko')).toBe('It broke.')
})

test('an input that an action does not accept is described in Korean only', () => {
  const faults = faultsOfSteps()
  expect(faults.length).toBeGreaterThan(20)
  const own = /"greet"|user\.name|gone|true|false|null|email|"\w+"|\$\{[^}]*\}/g
  const words = /[a-z]{3,}/i
  const mixed = faults.filter((message) =>
    words.test(toFailure('InvalidInput', message, 'ko').replaceAll(own, '')),
  )
  expect(mixed).toEqual([])
  const message = 'The input does not fit the schema of "greet": user.name is missing.'
  expect(toFailure('InvalidInput', message, 'ko')).toBe(
    '입력이 "greet"의 스키마에 맞지 않습니다. user.name: 필수 값입니다',
  )
  expect(toFailure('InvalidInput', message, 'en')).toBe(message)
})

test('what svc itself fails a job or run with is Korean only, with its numbers', () => {
  const failures = [...madeFailures(), ...WRITTEN_FAILURES]
  // names, places and code that the sentence is about
  const own =
    /"[^"]*"|`[^`]*`|\$\{[^}]*\}|\S+\.\w+|\bctx\.\w+|E[A-Z]+|SIG[A-Z]+|JSON|CPU|paid|ctx|export async function|main|svc|SVC_\w+|egress_\w+|MiB|KiB|Converting[\s\S]*|results, input, item, index|symbol|function|null|list|object|number|string|boolean|step|event/g
  const words = /[a-z]{3,}/i
  const numbers = /\d[\d.,]*/g
  const korean = failures.map(({ name, message }) => [message, toFailure(name, message, 'ko')])
  expect(korean.filter(([, text = '']) => words.test(text.replaceAll(own, '')))).toEqual([])
  const lost = korean.filter(([message = '', text = '']) =>
    (message.match(numbers) ?? []).some((number) => !text.includes(number.replace(/[.,]$/, ''))),
  )
  expect(lost).toEqual([])
  expect(failures.filter(({ name }) => !(name in KOREAN_FAILURES))).toEqual([])
  const named = new Set(failures.map(({ name }) => name))
  const elsewhere = ['InvalidInput']
  expect(Object.keys(KOREAN_FAILURES).filter((name) => !named.has(name))).toEqual(elsewhere)
})

test('each sentence that the console translates is one of the server', () => {
  const server = readServer()
  const sentences = [
    ...[...faultsOfInput(), ...faultsOfRequest()].map((text) => text.replace(/\.$/, '')),
    ...faultsOfManifests().map((text) =>
      text.replace(/^is missing; it /, '').replace(/^([a-z].*)\.$/, '$1'),
    ),
    ...BAD_TIMINGS.flatMap((cron) => parseTiming(cron, 'UTC').fault?.message ?? []),
    `The cron ${parseTiming('a', 'UTC').fault?.message}.`,
    ...REASONS.map((reason) => unreachable(reason).message),
    // the server puts these together, as the next lines check
    'It waited 5 s for room in the queue.',
    'It waited 5 s for the former run, or room in the queue.',
    'The action hello/greet no longer exists.',
    ...['App "a"', 'Action "f" of app "a"'].map((what) => notFound(what).message),
    ...faultsOfSteps(),
    ...madeFailures().map(({ message }) => message),
    ...BAD_CONDITIONS.flatMap((text) => parseCondition(text).fault ?? []),
  ]
  const [code = ''] = server
  expect(code).toContain('`It waited 5 s for 5.`')
  expect(code).toContain("'the former run, or room in the queue' : 'room in the queue'")
  expect(code).toContain('`The 5 no longer exists.`')
  const patterns = KOREAN_SENTENCES.map(([pattern]) => pattern)
  // the table translates by the first pattern that fits
  const used = new Set(sentences.map((text) => patterns.find((pattern) => pattern.test(text))))
  const isQuoted = ({ source }: RegExp): boolean => {
    const quoted = new RegExp(source.replaceAll(/\^|\$(?=\||$)/g, "['`]"))
    return server.some((code) => quoted.test(code))
  }
  expect(patterns.filter((pattern) => !used.has(pattern) && !isQuoted(pattern))).toEqual([])
  const names = Object.keys(KOREAN_FAILURES)
  expect(names.filter((name) => !code.includes(`'${name}'`))).toEqual([])
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
    ...faultsOfInput(),
    'is not a field of this form',
    'must be text',
    'must be filled in',
    'must be a date, 2026-01-31',
    'The workspace has sent 1000 e-mails within a day.',
    ...REASONS.map((reason) => unreachable(reason).message),
    ...faultsOfSyncs(),
    FORMER_RUNS,
    'must have at most 500 items.',
    ...BAD_TIMINGS.map((cron) => parseTiming(cron, 'UTC').fault?.message ?? cron),
    parseTiming('* * * * *', 'Nowhere').fault?.message ?? '',
    'It never fires again.',
    'The schedule was disabled or changed before it could fire.',
    'The action hello/greet no longer exists.',
  ]
  expect(sentences.filter((text) => !/[가-힣]/.test(toServerSentence(text, 'ko')))).toEqual([])
  expect(sentences.map((text) => toServerSentence(text, 'en'))).toEqual(sentences)
})

test('faults and warnings of app.yaml are Korean', () => {
  const sentences = faultsOfManifests()
  expect(sentences.length).toBeGreaterThan(80)
  expect(sentences.filter((text) => !/[가-힣]/.test(toServerSentence(text, 'ko')))).toEqual([])
  expect(toServerSentence('is missing; it must be a list.', 'ko')).toBe(
    '값이 없습니다. 목록이어야 합니다',
  )
})

test('each scope of a token is described in Korean', () => {
  expect(Object.keys(KOREAN_SCOPES)).toEqual([...ALL_SCOPES])
})

test('each action of the audit log has words in both languages', () => {
  const reference = readSource('docs/reference/access.md')
  const [, list = ''] = /\*\*19\.4\*\* Actions: ([^*]+)\n\n/.exec(reference) ?? []
  const codes = [...list.matchAll(/`([a-z_.]+)`/g)].map(([, code = '']) => code)
  expect(codes.length).toBeGreaterThan(70)
  expect(Object.keys(AUDIT_ACTIONS).sort()).toEqual(codes.sort())
  expect(Object.values(AUDIT_ACTIONS).filter(({ ko }) => !/[가-힣]/.test(ko))).toEqual([])
})
